import type { PaidBy } from '../billing-details/billing-details.ts'

/** Who takes the money: Stripe, or a checkout page of ours where none is taken. */
export type PaymentProcessorName = 'stripe' | 'sandbox'

export const topupStatuses = ['open', 'paid', 'expired', 'refunded'] as const
export type TopupStatus = (typeof topupStatuses)[number]

/**
 * `checkout`: somebody asked for it. `link`: the link of a 402 was opened. `auto`: the gateway charges it to
 * a saved payment method, and there is no checkout.
 */
export type TopupOrigin = 'checkout' | 'auto' | 'link'

/** Where the customer pays. */
export interface Checkout {
  /** The processor's own identifier of the session. */
  sessionId: string
  /** Null where the session came without one, as one that was paid already. */
  url: string | null
  expiresAtMs: number
}

/** Credit that a customer wants to buy, and what became of it. */
export interface Topup {
  /** `top_…`; callers know it as `session_id`. */
  id: string
  accountId: string
  /** The key that was named; null: whichever is the account's default key when it is paid. */
  keyId: string | null
  processor: PaymentProcessorName
  /** What was asked for. */
  amountPico: bigint
  idempotencyKey: string | null
  /** Null until the processor has answered: nobody was told of such a top-up yet. */
  checkout: Checkout | null
  /** The processor's identifier of the payment, by which refunds and disputes come. */
  paymentId: string | null
  /** Its session ended unpaid. A payment that is told of later counts all the same. */
  expired: boolean
  /** What was really paid, and is in the ledger; 0 until then. */
  paidPico: bigint
  /** What went back to the customer. */
  refundedPico: bigint
  /** What the customer's bank asks back, or has taken back. */
  disputedPico: bigint
  /** When the processor said what `refundedPico` holds: older news are no news. */
  refundsAsOfMs: number
  createdAtMs: number
  paidAtMs: number | null
  /** Null until it is paid. */
  paidBy: PaidBy | null
  origin: TopupOrigin
  /** The customer wants the payment method to be kept for later charges. */
  savesMethod: boolean
  /** `pmt_…`: what an `auto` one is charged to. */
  methodId: string | null
  /** Why an `auto` one was not paid; null: it was, or is under way. */
  failure: string | null
  /** Tax that was paid besides `paidPico`: it buys no credit. */
  taxPico: bigint
}

/** `refunded`: all that was paid went back, or is asked back by a dispute. */
export function topupStatusOf(topup: Topup): TopupStatus {
  if (topup.paidPico === 0n) return topup.expired ? 'expired' : 'open'
  return topup.refundedPico + topup.disputedPico >= topup.paidPico ? 'refunded' : 'paid'
}

export interface TopupLog {
  warn(fields: Record<string, unknown>, message: string): void
  error(fields: Record<string, unknown>, message: string): void
}
