/** A list's prices: by model, what it costs by the price's name. USD, as decimal strings. */
export type PriceList = Record<string, Record<string, string>>

/** One price that is another one than before. */
export interface PriceHistoryEntry {
  /** `prc_…`, in the order of time. */
  id: string
  model: string
  /** As in `pricing`: `prompt`, `overrides[min_prompt_tokens=200001].prompt`. */
  price: string
  /** Null: there was none. */
  before: string | null
  /** Null: there is none any more. */
  after: string | null
  /** Where the new price is from. */
  source: string
  /** Of the list that brought it. */
  version: string
  /** The node that took it over first. */
  nodeId: string
  atMs: number
}

export interface PriceHistoryFilter {
  model?: string
  /** Unix epoch milliseconds; from, included. */
  fromMs?: number
  /** To, not included. */
  toMs?: number
}

/** Lists that a node brings into force, and what each changed. */
export interface PriceHistoryStore {
  /**
   * Writes down how a list differs from the last one that any node wrote down; nothing where that has the
   * same prices. The first list of all changes nothing.
   * @param sourceOf where a model's prices are from
   * @returns how many prices changed
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
