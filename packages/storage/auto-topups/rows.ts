import type { AutoTopup, AutoTopupState, PaymentMethod, PaymentProcessorName } from '@turnpike/billing'
import type { Selectable } from 'kysely'
import type { AutoTopupTable, PaymentMethodTable } from './tables.ts'

export function toAutoTopup(row: Selectable<AutoTopupTable>): AutoTopup {
  return {
    accountId: row.account_id,
    enabled: row.enabled === 1n,
    thresholdPico: row.threshold_pico,
    amountPico: row.amount_pico,
    monthlyCapPico: row.monthly_cap_pico,
    paymentMethodId: row.payment_method_id,
    state: row.state as AutoTopupState,
    topupId: row.topup_id,
    actionTopupId: row.action_topup_id,
    attemptsFailed: Number(row.attempts_failed),
    nextAtMs: Number(row.next_at_ms),
    failure: row.failure,
    cappedMonth: row.capped_month,
    updatedAtMs: Number(row.updated_at_ms),
  }
}

export function toPaymentMethod(row: Selectable<PaymentMethodTable>): PaymentMethod {
  return {
    id: row.id,
    accountId: row.account_id,
    processor: row.processor as PaymentProcessorName,
    customerId: row.customer_id,
    methodId: row.method_id,
    kind: row.kind,
    brand: row.brand,
    last4: row.last4,
    expiresMonth: row.expires_month,
    status: row.status as PaymentMethod['status'],
    savedByTopup: row.saved_by_topup,
    createdAtMs: Number(row.created_at_ms),
  }
}
