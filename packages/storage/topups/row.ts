import type { PaidBy, PaymentProcessorName, Topup } from '@turnpike/billing'
import type { Selectable } from 'kysely'
import type { TopupTable } from '../schema.ts'

export function toTopup(row: Selectable<TopupTable>): Topup {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    processor: row.processor as PaymentProcessorName,
    amountPico: row.amount_pico,
    idempotencyKey: row.idempotency_key,
    checkout:
      row.session_id === null
        ? null
        : { sessionId: row.session_id, url: row.checkout_url, expiresAtMs: Number(row.expires_at_ms) },
    paymentId: row.payment_id,
    expired: row.expired === 1n,
    paidPico: row.paid_pico,
    refundedPico: row.refunded_pico,
    disputedPico: row.disputed_pico,
    refundsAsOfMs: Number(row.refunds_as_of_ms),
    createdAtMs: Number(row.created_at_ms),
    paidAtMs: row.paid_at_ms === null ? null : Number(row.paid_at_ms),
    origin: row.origin as Topup['origin'],
    savesMethod: row.saves_method !== 'no',
    methodId: row.method_id,
    failure: row.failure,
    taxPico: row.tax_pico,
    paidBy: row.paid_by === null ? null : (JSON.parse(row.paid_by) as PaidBy),
  }
}
