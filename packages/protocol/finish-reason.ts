/** Why a choice ended, in our vocabulary; `rawReason` carries the vendor's own value. */
export type FinishReason =
  | 'stop'
  | 'length'
  | 'tool-calls'
  | 'content-filter'
  /** The vendor sent a value that it does not document. */
  | 'unknown'
