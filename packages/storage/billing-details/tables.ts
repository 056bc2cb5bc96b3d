import type { Integer } from '../column-types.ts'

export interface BillingDetailsTable {
  account_id: string
  /** JSON of `BillingDetails`. */
  details: string
  updated_at_ms: Integer
}
