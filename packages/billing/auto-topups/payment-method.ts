import type { PaymentProcessorName } from '../topups/topup.ts'

/** A payment method that a customer lets us charge later, as reported by its processor. */
export interface SavedMethod {
  /** The processor's own identifiers. */
  methodId: string
  customerId: string
  /** The processor's name for it: `card`, `sepa_debit`, … */
  kind: string
  brand: string | null
  last4: string | null
  /** `2029-04`; null: it does not expire. */
  expiresMonth: string | null
}

export interface PaymentMethod extends SavedMethod {
  /** `pmt_…` */
  id: string
  accountId: string
  processor: PaymentProcessorName
  status: 'active' | 'removed'
  /** The top-up at whose checkout it was saved. */
  savedByTopup: string
  createdAtMs: number
}
