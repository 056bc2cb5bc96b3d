import type { Integer, NullableInteger } from '../column-types.ts'

interface HealthKeys {
  /** As in `UsageTotalTable`. */
  period: string
  account_id: string
  /** `all`, `model`, `key` or `tag`. */
  facet: string
  /** The key or the tag; '' for `all` and `model`. For `all`, the next two columns are '' too. */
  value: string
  /** In this column and the next, '' means none. */
  model: string
  provider: string
}

export interface HealthTotalTable extends HealthKeys {
  requests: Integer
  completed: Integer
  tokens_in: Integer
  cache_read_tokens: Integer
  cache_write_tokens: Integer
  saved_high: Integer
  saved_low: Integer
  /** Completed answers with output: their output tokens and duration. */
  timed_tokens: Integer
  timed_ms: Integer
  /** Histograms (`health/time-buckets.ts`); null: 0. */
  [times: `times_${number}`]: NullableInteger
}

export interface HealthErrorTable extends HealthKeys {
  error_type: string
  requests: Integer
}
