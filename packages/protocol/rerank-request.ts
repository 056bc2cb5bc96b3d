import type { OperationRequest } from './operation-request.ts'

/** A request to rank documents by a query, independent of any vendor's format. */
export interface RerankRequest extends OperationRequest {
  query: string
  /** At least one. */
  documents: readonly RerankDocument[]
  /** How many documents to return, the most relevant first; undefined: all. */
  topN: number | undefined
  /** Whether to return the documents themselves too. */
  returnDocuments: boolean
  /** Longer documents are truncated to this; undefined: the vendor's default. */
  maxTokensPerDocument: number | undefined
  /** The members to rank documents by, in this order; undefined: `text`, or all. */
  rankFields: readonly string[] | undefined
}

/** A text, or an object of texts, usually `{"text": "…"}`. */
export type RerankDocument = string | Readonly<Record<string, unknown>>
