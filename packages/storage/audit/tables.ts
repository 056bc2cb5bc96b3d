import type { Integer } from '../column-types.ts'

export interface AuditEntryTable {
  request_id: string
  at_ms: Integer
  actor: string
  subject: string | null
  action: string
  account_id: string | null
  target: string | null
  status: Integer
  /** JSON object. */
  details: string | null
  address: string
}
