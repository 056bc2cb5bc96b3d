import { RerankRequestSchema } from '@turnpike/dialects'
import { Type } from 'typebox'
import { cost, model } from './chat-answer.ts'
import { meanings } from './chat-request.ts'
import type { WholeAnswerEndpoint } from './whole-answer.ts'

const meaningsOfRerank: Record<string, string> = {
  ...meanings,
  stream: 'Rankings are not streamed.',
  query: 'The query to rank the documents by.',
  documents: 'Texts, or objects of texts such as `{"text": "…"}`.',
  top_n: 'How many of the most relevant documents to return. Default: all.',
  return_documents: 'Whether the response includes the documents. Default: only their indexes.',
  max_tokens_per_doc: 'Longer documents are truncated. Refused by vendors without such a limit.',
  rank_fields: 'Which fields of objects to rank by. Default: `text`, or all fields if there are several.',
}

const rerankSchema = Type.Object(
  {
    id: Type.String(),
    model,
    results: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Of its document in the request.' }),
        relevance_score: Type.Number(),
        document: Type.Optional(Type.Object({ text: Type.Optional(Type.String()) })),
      }),
    ),
    meta: Type.Optional(
      Type.Object({
        billed_units: Type.Object({
          search_units: Type.Optional(Type.Integer()),
          input_tokens: Type.Optional(Type.Integer()),
        }),
      }),
    ),
    usage: Type.Optional(
      Type.Object({
        search_units: Type.Optional(
          Type.Integer({
            description: 'If the vendor bills by search units: a query with up to 100 documents each.',
          }),
        ),
        prompt_tokens: Type.Optional(Type.Integer()),
        total_tokens: Type.Optional(Type.Integer()),
        ...cost,
      }),
    ),
  },
  { title: 'Ranking' },
)

const exampleRequest = {
  model: 'cohere/rerank-v3.5',
  query: 'What is the capital of France?',
  documents: ['Berlin is the capital of Germany.', 'Paris is the capital of France.'],
  top_n: 1,
}

const exampleAnswer = {
  id: 'rrk-01JD',
  model: 'cohere/rerank-v3.5',
  results: [{ index: 1, relevance_score: 0.98 }],
  meta: { billed_units: { search_units: 1 } },
  usage: { search_units: 1, cost_usd: '0.002', cost: 0.002 },
}

/** Cohere's and Jina's reranking, as callers may use it. */
export const rerank: WholeAnswerEndpoint = {
  operationId: 'rerank',
  summary: 'Rank documents by a query',
  description:
    'Charged by the vendor’s unit: search units at Cohere, input tokens elsewhere. Scores of different ' +
    'models are not comparable: `model` in the response names the model.',
  tags: ['Rankings'],
  request: {
    title: 'RerankRequest',
    schema: RerankRequestSchema,
    meanings: meaningsOfRerank,
    example: { summary: 'Two documents', value: exampleRequest },
  },
  answer: {
    description: 'The indexes of the documents, most relevant first.',
    schema: rerankSchema,
    example: exampleAnswer,
  },
}
