import type { ColumnType } from 'kysely'
import type { Integer } from '../column-types.ts'

/** The tables of `migrations/030-auto-topups.ts` as Kysely sees them. */
export interface AutoTopupTables {
  payment_methods: PaymentMethodTable
  auto_topups: AutoTopupTable
  installation_secrets: InstallationSecretTable
}

interface InstallationSecretTable {
  /** `pay-links` */
  purpose: string
  secret: string
  created_at_ms: Integer
}

export interface PaymentMethodTable {
  id: string
  account_id: string
  processor: string
  /** The processor's own identifiers. */
  customer_id: string
  method_id: string
  kind: string
  brand: string | null
  last4: string | null
  /** `2029-04` */
  expires_month: string | null
  status: ColumnType<string, string | undefined, string>
  saved_by_topup: string
  /** When it was removed; null: it was not. */
  removed_at_ms: ColumnType<bigint | null, number | null | undefined, number | null>
  /** When its processor must be called to remove it; null: nothing to do. */
  forget_at_ms: ColumnType<bigint | null, number | null | undefined, number | null>
  created_at_ms: Integer
}

export interface AutoTopupTable {
  account_id: string
  /** 0 or 1. */
  enabled: Integer
  threshold_pico: Integer
  amount_pico: Integer
  monthly_cap_pico: Integer
  payment_method_id: string
  state: string
  /** The running attempt, or the last one. */
  topup_id: string | null
  /** The checkout at which the customer confirms the payment to the bank. */
  action_topup_id: string | null
  /** Failures in a row since the last success. */
  attempts_failed: Integer
  /** When a node may act next. A running attempt belongs to one node until then. */
  next_at_ms: Integer
  /** Why the last attempt failed. */
  failure: string | null
  /** `2026-11`: the month whose cap prevented a charge. */
  capped_month: string | null
  updated_at_ms: Integer
}
