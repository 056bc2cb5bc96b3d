/** What `by` may name at `GET /api/v1/usage/health`, besides `tagDimension`. */
export const healthDimensions = ['day', 'hour', 'model', 'provider', 'key', 'tag'] as const
/** Groups of one answer. */
export const mostHealthGroups = 3_000

export interface HealthTimes {
  /** Milliseconds; null: there were none. */
  p50: number | null
  p95: number | null
}

/** How requests went. */
export interface HealthFigures {
  requests: number
  completed: number
  /** From 0 to 1; null: there were no requests. */
  error_rate: number | null
  errors: { type: string; requests: number }[]
  time_to_first_token_ms: HealthTimes
  latency_ms: HealthTimes
  tokens_per_second: number | null
  tokens_in: number
  cache_read_tokens: number
  cache_write_tokens: number
  cache_saved_usd: string
}

export interface HealthGroup extends HealthFigures {
  /** Null: of requests that reached no model. */
  group: string | null
  /** Null: there were none, or it is a day or an hour. */
  previous: HealthFigures | null
}

/** `GET /api/v1/usage/health`. */
export interface Health {
  object: 'health'
  range_days: number
  /** Unix epoch seconds. */
  counted_since: number
  by: string | null
  total: HealthFigures
  /** Of as many days before. */
  previous: HealthFigures
  data: HealthGroup[]
  has_more: boolean
}

export const healthFields = [
  'object',
  'range_days',
  'counted_since',
  'by',
  'total',
  'previous',
  'data',
  'has_more',
] as const
