import { RerankRequestSchema } from '@turnpike/dialects'
import { Type } from 'typebox'
import type { DocumentedOperation, Header, Reference } from '../document-types.ts'
import type { NamedSchemas } from '../published-schema.ts'
import { model } from './chat-answer.ts'
import { meanings } from './chat-request.ts'
import { wholeAnswer } from './whole-answer.ts'

const meaningsOfRerank: Record<string, string> = {
  ...meanings,
  stream: 'A ranking is answered at once.',
  query: 'What the documents are to be relevant to.',
  documents: 'Texts, or objects of texts such as `{"text": "…"}`.',
  top_n: 'How many of them to answer with, the most relevant ones. Default: all.',
  return_documents: 'Whether the answer holds the documents, too. Default: their places alone.',
  max_tokens_per_doc: 'Longer documents are cut there. Vendors that have no such bound refuse it.',
  rank_fields: 'Which members of objects they are ranked by. Default: `text`, or all where there are more.',
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
          Type.Integer({ description: 'Where the vendor bills by them: a query with up to 100 documents.' }),
        ),
        prompt_tokens: Type.Optional(Type.Integer()),
        total_tokens: Type.Optional(Type.Integer()),
        cost_usd: Type.String({ description: 'What it cost, exact.' }),
        cost: Type.Number({ description: 'The same as a number.' }),
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

/** Cohere's and Jina's rankings, as callers may speak them. */
export function rerank(
  named: NamedSchemas,
  servedBy: Record<string, Header | Reference>,
): DocumentedOperation {
  const endpoint = {
    operationId: 'rerank',
    summary: 'Rank documents by a query',
    description:
      'Charged by what the vendor bills: search units at Cohere, input tokens elsewhere. Scores of two ' +
      'models cannot be compared: `model` of the answer says whose they are.',
    tags: ['Rankings'],
    request: {
      title: 'RerankRequest',
      schema: RerankRequestSchema,
      meanings: meaningsOfRerank,
      example: { summary: 'Two documents', value: exampleRequest },
    },
    answer: {
      description: 'The documents’ places, the most relevant first.',
      schema: rerankSchema,
      example: exampleAnswer,
    },
  }
  return wholeAnswer(endpoint, named, servedBy)
}
