import type { RerankRequest } from '@turnpike/protocol'
import { textsOf } from './texts.ts'

/*
 * Search units, by which Cohere bills: one query with up to 100 documents is one unit. A document of more
 * than 500 tokens, including the query's, counts once for each piece of that size:
 * https://cohere.com/pricing, https://docs.cohere.com/docs/reranking-best-practices.
 */

const documentsPerUnit = 100
const tokensPerPiece = 500
/** A longer query is cut to leave this much room in a piece. */
const leastRoom = 250
/** Documents are cut to this length unless the request sets another. */
const usualTokensPerDocument = 4_096

/** @param tokensOf the number of tokens in a text of so many bytes */
export function searchUnits(request: RerankRequest, tokensOf: (bytes: number) => number): number {
  const { query, maxTokensPerDocument = usualTokensPerDocument } = request
  const ofQuery = tokensOf(Buffer.byteLength(query))
  const room = Math.max(leastRoom, tokensPerPiece - ofQuery)
  let pieces = 0
  for (const text of textsOf(request)) {
    const tokens = Math.min(tokensOf(Buffer.byteLength(text)), maxTokensPerDocument)
    // Cohere does not document whether the query is part of each piece, or only precedes the document.
    pieces += Math.max(1, Math.ceil(tokens / room), Math.ceil((ofQuery + tokens) / tokensPerPiece))
  }
  return Math.ceil(pieces / documentsPerUnit)
}

/** For prose and code in any script, on the high side. */
const bytesPerToken = 3

/** The estimate for a vendor that does not report its search units. */
export function estimateSearchUnits(request: RerankRequest): number {
  return searchUnits(request, (bytes) => Math.ceil(bytes / bytesPerToken))
}

/** The largest possible number: a token has at least one byte. */
export function mostSearchUnits(request: RerankRequest): number {
  return searchUnits(request, (bytes) => bytes)
}
