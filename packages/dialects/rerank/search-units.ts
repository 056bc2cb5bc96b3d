import type { RerankRequest } from '@turnpike/protocol'
import { textsOf } from './texts.ts'

/*
 * Search units, by which Cohere bills: a query with up to 100 documents. A document of more than 500 tokens,
 * the query's among them, is as many as it has pieces of that size: https://cohere.com/pricing,
 * https://docs.cohere.com/docs/reranking-best-practices.
 */

const documentsPerUnit = 100
const tokensPerPiece = 500
/** A longer query leaves so much room in a piece: it is cut. */
const leastRoom = 250
/** A document is cut there, unless the request says otherwise. */
const usualTokensPerDocument = 4_096

/** @param tokensOf how many a text of so many bytes has */
export function searchUnits(request: RerankRequest, tokensOf: (bytes: number) => number): number {
  const { query, maxTokensPerDocument = usualTokensPerDocument } = request
  const ofQuery = tokensOf(Buffer.byteLength(query))
  const room = Math.max(leastRoom, tokensPerPiece - ofQuery)
  let pieces = 0
  for (const text of textsOf(request)) {
    const tokens = Math.min(tokensOf(Buffer.byteLength(text)), maxTokensPerDocument)
    // Cohere does not say whether the query stands in each piece, or once before the document.
    pieces += Math.max(1, Math.ceil(tokens / room), Math.ceil((ofQuery + tokens) / tokensPerPiece))
  }
  return Math.ceil(pieces / documentsPerUnit)
}

/** Of prose and code in any script, on the high side. */
const bytesPerToken = 3

/** As many as a vendor that does not tell them is taken to bill. */
export function estimateSearchUnits(request: RerankRequest): number {
  return searchUnits(request, (bytes) => Math.ceil(bytes / bytesPerToken))
}

/** The most that there can be: a token is a byte at least. */
export function mostSearchUnits(request: RerankRequest): number {
  return searchUnits(request, (bytes) => bytes)
}
