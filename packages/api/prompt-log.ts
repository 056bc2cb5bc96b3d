import type { OrOlder } from './older.ts'
import type { paths, Schemas } from './schema.ts'

/** `GET /api/v1/usage/requests/{id}`, with the fields that our clients read. */
export type RequestDetail = OrOlder<Schemas['RequestDetail'], 'has_log'>

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
] as const satisfies readonly (keyof RequestDetail)[]

/** A message of a logged prompt or answer. */
export type LoggedMessage = Schemas['LoggedMessage']

/** `GET /api/v1/usage/requests/{id}/log`. */
export type RequestLog = Schemas['RequestLog']

export const requestLogFields = [
  'id',
  'created_at',
  'expires_at',
  'unreadable',
  'path',
  'request',
  'answer',
  'redacted',
] as const satisfies readonly (keyof RequestLog)[]

/** `GET /api/v1/me/prompt-log`. */
export type PromptLogState = Schemas['PromptLog']

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
] as const satisfies readonly (keyof PromptLogState)[]

/** The response to a deletion. */
export type DeletedLog = Deleted['/api/v1/me/prompt-log'] | Deleted['/api/v1/usage/requests/{request_id}/log']

type Deleted = {
  [Path in keyof paths]: paths[Path] extends {
    delete: { responses: { 200: { content: { 'application/json': infer Answer } } } }
  }
    ? Answer
    : never
}
