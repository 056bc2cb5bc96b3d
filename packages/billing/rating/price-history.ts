/** The prices of a list: model → price name → USD as a decimal string. */
export type PriceList = Record<string, Record<string, string>>

/** One changed price. */
export interface PriceHistoryEntry {
  /** `prc_…`, in the order of time. */
  id: string
  model: string
  /** As in `pricing`: `prompt`, `overrides[min_prompt_tokens=200001].prompt`. */
  price: string
  /** Null: the price is new. */
  before: string | null
  /** Null: the price was removed. */
  after: string | null
  /** The source of the new price. */
  source: string
  /** The version of the list that brought it. */
  version: string
  /** The first node that adopted it. */
  nodeId: string
  atMs: number
}

export interface PriceHistoryFilter {
  model?: string
  /** Unix epoch milliseconds; inclusive. */
  fromMs?: number
  /** Exclusive. */
  toMs?: number
}

/** Price lists that nodes adopt, and what each list changed. */
export interface PriceHistoryStore {
  /**
   * Records how a list differs from the last recorded one of any node; nothing if the prices are the same.
   * The very first list changes nothing.
   * @param sourceOf the source of a model's prices
   * @returns the number of changed prices
   */
  record(
    list: { version: string; prices: PriceList; nodeId: string; sourceOf: (model: string) => string },
    nowMs: number,
  ): Promise<number>
  /** Newest first. */
  list(
    filter: PriceHistoryFilter,
    page: { limit: number; cursor?: string },
  ): Promise<{ rows: PriceHistoryEntry[]; nextCursor: string | null }>
}
