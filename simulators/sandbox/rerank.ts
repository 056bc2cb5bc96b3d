import { wordsIn } from './embeddings.ts'
import { SandboxError } from './error.ts'
import { isFields } from './request.ts'
import { countTokens } from './tokens.ts'

/** The fields of Jina's rerank request that the sandbox reads. */
export interface SandboxRerankRequest {
  model: string
  query: string
  documents: string[]
  topN: number
}

/** @throws {SandboxError} 400 naming the field */
export function readRerankRequest(body: Buffer): SandboxRerankRequest {
  const fields: unknown = JSON.parse(body.toString('utf8'))
  if (!isFields(fields) || typeof fields.model !== 'string' || typeof fields.query !== 'string')
    throw new SandboxError(400, 'you must provide a model and a query', { param: 'query' })
  const { documents, top_n: topN = Infinity } = fields
  if (!Array.isArray(documents) || documents.length === 0)
    throw new SandboxError(400, "Invalid 'documents': expected at least one.", { param: 'documents' })
  if (typeof topN !== 'number' || !(topN >= 1))
    throw new SandboxError(400, "Invalid 'top_n': expected a number from 1 on.", { param: 'top_n' })
  return { model: fields.model, query: fields.query, documents: documents.map(String), topN }
}

/** Ranks documents by the words that they share with the query, in the same way on every machine. */
export function rerankBody(
  { model, query, documents, topN }: SandboxRerankRequest,
  told: { usage: boolean },
): { body: string; tokens: number } {
  const asked = new Set(wordsIn(query))
  let tokens = 0
  const results = documents.map((document, index) => {
    tokens += countTokens(query) + countTokens(document)
    const words = new Set(wordsIn(document))
    const shared = words.intersection(asked).size
    return { index, relevance_score: shared / words.union(asked).size }
  })
  const best = results.toSorted((a, b) => b.relevance_score - a.relevance_score).slice(0, topN)
  const usage = told.usage ? { usage: { total_tokens: tokens } } : {}
  return { body: JSON.stringify({ model, results: best, ...usage }), tokens }
}
