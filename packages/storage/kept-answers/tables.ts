import type { Integer } from '../column-types.ts'

export interface KeptAnswerTable {
  id: string
  account_id: string
  /** The owner within the account: `mem_… prj_…`, one of the two, or nothing. */
  owner: string
  created_at_ms: Integer
  expires_at_ms: Integer
  key_name: string
  plain_bytes: Integer
  /** The size of both texts. */
  sealed_bytes: Integer
  answer: Uint8Array
  input: Uint8Array
}

export interface KeptAnswerTotalTable {
  account_id: string
  /** The sum of its answers' `sealed_bytes`. */
  bytes: Integer
}

export interface KeptItemTable {
  account_id: string
  item_id: string
  answer_id: string
}
