import type { DefaultedInteger, Integer } from '../column-types.ts'

export interface PromptLogTable {
  request_id: string
  account_id: string
  key_id: string
  /** When the request came. */
  created_at_ms: Integer
  key_name: string
  plain_bytes: Integer
  sealed_bytes: Integer
  /** Null: its caller has deleted it. */
  sealed: Uint8Array | null
}

export interface PromptLogTotalTable {
  account_id: string
  /** Sum of its logs' `sealed_bytes`. */
  bytes: Integer
  /** Requests that came until then are written no more. */
  deleted_before_ms: DefaultedInteger
}

export interface PromptLogDeletionTable {
  key_id: string
  deleted_before_ms: Integer
}
