import type { PaidBy } from '../billing-details/billing-details.ts'

/** Who takes the payment: Stripe, or a checkout page of ours where no money is taken. */
export type PaymentProcessorName = 'stripe' | 'sandbox'

export const topupStatuses = ['open', 'paid', 'expired', 'refunded'] as const
export type TopupStatus = (typeof topupStatuses)[number]

/**
 * `checkout`: somebody requested it. `link`: the link of a 402 was opened. `auto`: the gateway charges a
 * saved payment method, without a checkout.
 */
export type TopupOrigin = 'checkout' | 'auto' | 'link'

/** Where the customer pays. */
export interface Checkout {
  /** The processor's own identifier of the session. */
  sessionId: string
  /** Null if the session has none, for example because it is paid already. */
  url: string | null
  expiresAtMs: number
}

/** Credit that a customer wants to buy, and its state. */
export interface Topup {
  /** `top_…`; callers know it as `session_id`. */
  id: string
  accountId: string
  /** The named key; null: the account's default key at the time of payment. */
  keyId: string | null
  processor: PaymentProcessorName
  /** The requested amount. */
  amountPico: bigint
  idempotencyKey: string | null
  /** Null until the processor has responded; such a top-up was not returned to anybody yet. */
  checkout: Checkout | null
  /** The processor's identifier of the payment, which refunds and disputes refer to. */
  paymentId: string | null
  /** Its session ended unpaid. A payment that is reported later counts all the same. */
  expired: boolean
  /** The amount that was really paid and is in the ledger; 0 until then. */
  paidPico: bigint
  /** What went back to the customer. */
  refundedPico: bigint
  /** What the customer's bank demands back, or has taken back. */
  disputedPico: bigint
  /** When the processor reported `refundedPico`: older reports are ignored. */
  refundsAsOfMs: number
  createdAtMs: number
  paidAtMs: number | null
  /** Null until it is paid. */
  paidBy: PaidBy | null
  origin: TopupOrigin
  /** Whether the customer wants the payment method to be saved for later charges. */
  savesMethod: boolean
  /** `pmt_…`: the method that an `auto` top-up is charged to. */
  methodId: string | null
  /** Why an `auto` top-up was not paid; null: it was, or is in progress. */
  failure: string | null
  /** Tax paid on top of `paidPico`; it buys no credit. */
  taxPico: bigint
}

/** `refunded`: everything that was paid went back, or is demanded back by a dispute. */
export function topupStatusOf(topup: Topup): TopupStatus {
  if (topup.paidPico === 0n) return topup.expired ? 'expired' : 'open'
  return topup.refundedPico + topup.disputedPico >= topup.paidPico ? 'refunded' : 'paid'
}

export interface TopupLog {
  warn(fields: Record<string, unknown>, message: string): void
  error(fields: Record<string, unknown>, message: string): void
}
