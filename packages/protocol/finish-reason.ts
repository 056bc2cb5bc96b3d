/** Why a choice ended, in our words; the vendor's own word travels beside it as `rawReason`. */
export type FinishReason =
  | 'stop'
  | 'length'
  | 'tool-calls'
  | 'content-filter'
  /** The vendor gave a word that none of its documents holds. */
  | 'unknown'
