export const healthDimensions = ['day', 'hour', 'model', 'provider', 'key', 'tag'] as const

/** What health is told by. `tag:team`: the values of tags `team:…`; a request with two of them is in both. */
export type HealthDimension = (typeof healthDimensions)[number] | `tag:${string}`

/** All given conditions must hold. Of keys and tags only one can be asked about at a time. */
export interface HealthFilter {
  /** Absent: all accounts (operators only). */
  accountId?: string
  /** Unix epoch milliseconds, inclusive; the beginning of a UTC day. */
  fromMs: number
  /** Exclusive. */
  toMs: number
  keyId?: string
  /** Whose keys, and of which project: as `keyId`, of several. */
  memberId?: string
  projectId?: string
  /** The model that answered or, where none did, that was asked last. */
  model?: string
  provider?: string
  tag?: string
}

export interface Percentiles {
  /** Whole milliseconds, at most 9 % off; null: there were none. */
  p50: number | null
  p95: number | null
}

export interface HealthFigures {
  /** All, failed ones too. */
  requests: number
  /** Whose answer came to its end. */
  completed: number
  /** By error type, the most frequent first; callers who left are `client_closed_request`. */
  errors: { type: string; requests: number }[]
  /** From the request's head to the first token; of streamed answers. */
  firstTokenMs: Percentiles
  /** From the request's head to the end; of completed answers. */
  durationMs: Percentiles
  /** Output tokens of completed answers by their whole time, waiting included; null: there were none. */
  tokensPerSecond: number | null
  tokensIn: number
  /** Of `tokensIn`. */
  cacheReadTokens: number
  cacheWriteTokens: number
  /** What the caller would have paid more had nothing come out of a cache. */
  savedPico: bigint
}

export interface HealthGroup extends HealthFigures {
  /** A day is `2026-03-15`, an hour `2026-03-15T07:00Z`; null: none, as a refused request has no model. */
  group: string | null
}

/** How requests went, counted behind them; hours are kept for `healthHourDays`. */
export interface HealthStore {
  summary(filter: HealthFilter): Promise<HealthFigures>
  /**
   * Days and hours in their order, other groups the most requests first.
   * @throws {RangeError} where it and the filter ask about keys and tags at once
   */
  groups(filter: HealthFilter, by: HealthDimension, limit: number): Promise<HealthGroup[]>
  /** When this database began to count: what was before is in no figure. Unix epoch milliseconds. */
  countedSinceMs(): Promise<number>
}

/** Hours of so many whole days before today are kept. */
export const healthHourDays = 90

/** How a model did at a provider, of all accounts together. */
export interface ProviderHealth extends HealthFigures {
  model: string
  provider: string
  /** How many accounts asked for it. */
  accounts: number
  /** Of the account that has the most. */
  largestRequests: number
}

export interface ProviderHealthStore {
  /** By model and provider; requests that were sent to none are left out. */
  between(range: Pick<HealthFilter, 'fromMs' | 'toMs'>): Promise<ProviderHealth[]>
}
