import { EmbeddingsRequestSchema } from '@turnpike/dialects'
import { Type } from 'typebox'
import { cost, model } from './chat-answer.ts'
import { meanings } from './chat-request.ts'
import type { WholeAnswerEndpoint } from './whole-answer.ts'

const meaningsOfEmbeddings: Record<string, string> = {
  ...meanings,
  models: 'Refused: the vectors of two models cannot be compared.',
  stream: 'Embeddings are not streamed.',
  input:
    'The input: a text, several texts, token ids, or lists of token ids. If there are more than ' +
    'a vendor accepts at once, they are sent in batches and returned as one response.',
  dimensions: 'Length of each vector, if the model supports shorter ones.',
  encoding_format: 'Numbers, or base64 of little-endian 32-bit floats. Default: numbers.',
  input_type:
    'Purpose of the vectors: `query`, `document`, `classification`, `clustering`, `similarity`, or the ' +
    'equivalent of Cohere, Voyage, NVIDIA or Google. Refused by vendors whose vectors are the same ' +
    'for all purposes.',
}

const embeddingsSchema = Type.Object(
  {
    object: Type.Literal('list'),
    data: Type.Array(
      Type.Object({
        object: Type.Literal('embedding'),
        index: Type.Integer({ description: 'Of its input.' }),
        embedding: Type.Union([Type.Array(Type.Number()), Type.String({ description: 'Base64.' })]),
      }),
    ),
    model,
    usage: Type.Optional(
      Type.Object({
        prompt_tokens: Type.Integer(),
        total_tokens: Type.Integer(),
        ...cost,
      }),
    ),
  },
  { title: 'Embeddings' },
)

const exampleRequest = {
  model: 'openai/text-embedding-3-small',
  input: ['The cat sat on the mat.', 'Quarterly earnings'],
  dimensions: 3,
}

const exampleAnswer = {
  object: 'list',
  data: [
    { object: 'embedding', index: 0, embedding: [0.61, -0.21, 0.76] },
    { object: 'embedding', index: 1, embedding: [-0.12, 0.93, 0.34] },
  ],
  model: 'openai/text-embedding-3-small',
  usage: { prompt_tokens: 10, total_tokens: 10, cost_usd: '0.0000002', cost: 2e-7 },
}

/** OpenAI's embeddings, as callers may use them. */
export const embeddings: WholeAnswerEndpoint = {
  operationId: 'createEmbedding',
  summary: 'Create embeddings',
  description:
    'Charged by input tokens. Only other upstreams of the same model are used as fallbacks. Vendors with ' +
    'OpenAI’s format get the request unchanged. For others it is translated, and unsupported fields ' +
    'are a 400 that names them.',
  tags: ['Embeddings'],
  request: {
    title: 'EmbeddingsRequest',
    schema: EmbeddingsRequestSchema,
    meanings: meaningsOfEmbeddings,
    example: { summary: 'Two texts', value: exampleRequest },
  },
  answer: {
    description: 'One vector per input, in the same order.',
    schema: embeddingsSchema,
    example: exampleAnswer,
  },
}
