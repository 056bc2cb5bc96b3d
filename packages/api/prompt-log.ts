/** `GET /api/v1/usage/requests/{id}`, as far as clients of ours read it. */
export interface RequestDetail {
  id: string
  created_at: number
  key_id: string
  endpoint: string
  model_asked: string | null
  model_served: string | null
  provider: string | null
  outcome: string
  status: number
  error_type: string | null
  tokens_in: number
  tokens_out: number
  cost_usd: string
  latency_ms: number
  time_to_first_token_ms: number | null
  tags: string[]
  /** Absent from an older gateway. */
  has_log?: boolean
}

export const requestFields = [
  'id',
  'created_at',
  'key_id',
  'endpoint',
  'model_asked',
  'model_served',
  'provider',
  'outcome',
  'status',
  'error_type',
  'tokens_in',
  'tokens_out',
  'cost_usd',
  'latency_ms',
  'time_to_first_token_ms',
  'tags',
  'has_log',
] as const

/** A message of a logged prompt or answer. */
export interface LoggedMessage {
  role: string
  parts: {
    type: string
    text: string
    name?: string
    call_id?: string
    media_type?: string
    bytes?: number
  }[]
}

interface LoggedSide {
  body: unknown
  bytes: number
  truncated: boolean
  messages: LoggedMessage[]
}

/** `GET /api/v1/usage/requests/{id}/log`. */
export interface RequestLog {
  id: string
  created_at: number
  expires_at: number
  /** `key_missing` or `damaged`; null: it can be read. */
  unreadable: string | null
  path: string | null
  request: LoggedSide | null
  answer: (LoggedSide & { status: number; streamed: boolean }) | null
  redacted: Record<string, number>
}

export const requestLogFields = [
  'id',
  'created_at',
  'expires_at',
  'unreadable',
  'path',
  'request',
  'answer',
  'redacted',
] as const

/** `GET /api/v1/me/prompt-log`. */
export interface PromptLogState {
  available: boolean
  log_prompts: boolean
  days: number
  max_days: number
  max_bytes: number
  max_account_bytes: number
  entries: number
  bytes: number
  oldest_at: number | null
}

export const promptLogFields = [
  'available',
  'log_prompts',
  'days',
  'max_days',
  'max_bytes',
  'max_account_bytes',
  'entries',
  'bytes',
  'oldest_at',
] as const

/** An answer to a deletion. */
export interface DeletedLog {
  id: string
  deleted: number | true
}
