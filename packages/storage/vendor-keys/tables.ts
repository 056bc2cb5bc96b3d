import type { ColumnType } from 'kysely'
import type { DefaultedInteger, Integer, NullableInteger } from '../column-types.ts'

/** The tables of `migrations/035-vendor-keys.ts` as Kysely sees them. */
export interface VendorKeyTables {
  vendor_keys: VendorKeyTable
}

export interface VendorKeyTable {
  id: string
  account_id: ColumnType<string, string, never>
  provider: ColumnType<string, string, never>
  name: string
  last4: string
  status: string
  /** 0 or 1. */
  allows_shared: Integer
  position: Integer
  /** Increases with each new secret. */
  version: DefaultedInteger
  created_at_ms: Integer
  updated_at_ms: Integer
  last_used_at_ms: NullableInteger
  refused_at_ms: NullableInteger
  /** The name of the sealing key. */
  key_name: string
  sealed: Uint8Array
}
