import type { DefaultedInteger, Integer } from '../column-types.ts'

export interface PromptLogTable {
  request_id: string
  account_id: string
  key_id: string
  /** When the request came in. */
  created_at_ms: Integer
  key_name: string
  plain_bytes: Integer
  sealed_bytes: Integer
  /** Null: deleted by its caller. */
  sealed: Uint8Array | null
}

export interface PromptLogTotalTable {
  account_id: string
  /** The sum of its logs' `sealed_bytes`. */
  bytes: Integer
  /** Requests that came before this are no longer written. */
  deleted_before_ms: DefaultedInteger
}

export interface PromptLogDeletionTable {
  key_id: string
  deleted_before_ms: Integer
}
