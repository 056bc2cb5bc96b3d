import type { ColumnType } from 'kysely'
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
  /** The account of the person who acted, if it differs from the account that was acted for. */
  on_behalf_of: ColumnType<string | null, string | null | undefined, never>
}
