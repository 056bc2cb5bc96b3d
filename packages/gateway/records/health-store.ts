export const healthDimensions = ['day', 'hour', 'model', 'provider', 'key', 'tag'] as const

/** What to group health by. `tag:team`: the values of tags `team:…`; a request may count in several. */
export type HealthDimension = (typeof healthDimensions)[number] | `tag:${string}`

/** All given conditions must hold. Filters on both keys and tags are not possible. */
export interface HealthFilter {
  /** Absent: all accounts (operators only). */
  accountId?: string
  /** Unix epoch milliseconds, inclusive; the beginning of a UTC day. */
  fromMs: number
  /** Exclusive. */
  toMs: number
  keyId?: string
  /** The keys of a member, and of a project: like `keyId`, for several keys. */
  memberId?: string
  projectId?: string
  /** The model that answered, or otherwise the last one that was tried. */
  model?: string
  provider?: string
  tag?: string
}

export interface Percentiles {
  /** Whole milliseconds, with an error of at most 9 %; null if there were none. */
  p50: number | null
  p95: number | null
}

export interface HealthFigures {
  /** All of them, including failed ones. */
  requests: number
  /** Requests whose answer was complete. */
  completed: number
  /** By error type, the most frequent first; clients that left are `client_closed_request`. */
  errors: { type: string; requests: number }[]
  /** From the request's head to the first token, for streamed answers. */
  firstTokenMs: Percentiles
  /** From the request's head to the end, for completed answers. */
  durationMs: Percentiles
  /** Output tokens of completed answers by their total time, including waiting; null if there were none. */
  tokensPerSecond: number | null
  tokensIn: number
  /** Included in `tokensIn`. */
  cacheReadTokens: number
  cacheWriteTokens: number
  /** How much more the caller would have paid without any cache. */
  savedPico: bigint
}

export interface HealthGroup extends HealthFigures {
  /** A day is `2026-03-15`, an hour `2026-03-15T07:00Z`; null: none, such as a rejected request's model. */
  group: string | null
}

/** Figures about requests, counted after them; hours are kept for `healthHourDays`. */
export interface HealthStore {
  summary(filter: HealthFilter): Promise<HealthFigures>
  /**
   * Days and hours in order, other groups the most requests first.
   * @throws {RangeError} if it and the filter together concern both keys and tags
   */
  groups(filter: HealthFilter, by: HealthDimension, limit: number): Promise<HealthGroup[]>
  /** When this database began to count: earlier requests are in no figure. Unix epoch milliseconds. */
  countedSinceMs(): Promise<number>
}

/** How many whole days before today hours are kept for. */
export const healthHourDays = 90

/** A model's figures at a provider, over all accounts. */
export interface ProviderHealth extends HealthFigures {
  model: string
  provider: string
  /** How many accounts requested it. */
  accounts: number
  /** Of the account that has the most. */
  largestRequests: number
}

export interface ProviderHealthStore {
  /** By model and provider; requests that were sent to no provider are left out. */
  between(range: Pick<HealthFilter, 'fromMs' | 'toMs'>): Promise<ProviderHealth[]>
}
