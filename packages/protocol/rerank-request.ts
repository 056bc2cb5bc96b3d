import type { OperationRequest } from './operation-request.ts'

/** A request to rank documents by a query, in no vendor's shape. */
export interface RerankRequest extends OperationRequest {
  query: string
  /** At least one. */
  documents: readonly RerankDocument[]
  /** How many of them to answer with, the most relevant ones; undefined: all. */
  topN: number | undefined
  /** The answer is to hold the documents, too. */
  returnDocuments: boolean
  /** A longer document is cut; undefined: as the vendor does it. */
  maxTokensPerDocument: number | undefined
  /** Which of their members documents are ranked by, in this order; undefined: `text`, or all. */
  rankFields: readonly string[] | undefined
}

/** A text, or an object of texts, as a rule `{"text": "…"}`. */
export type RerankDocument = string | Readonly<Record<string, unknown>>
