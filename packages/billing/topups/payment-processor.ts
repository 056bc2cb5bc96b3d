import type { PaymentMethod, SavedMethod } from '../auto-topups/payment-method.ts'
import type { PaymentProcessorName, Topup } from './topup.ts'

/**
 * - `open`: the customer may pay.
 * - `processing`: the customer has paid, and the money is on its way (bank debits take days).
 * - `failed`: the money did not come. A `failed` or `expired` session can no longer be paid.
 */
export type SessionState = 'open' | 'processing' | 'paid' | 'failed' | 'expired'

/** A checkout session as reported by its processor. */
export interface CheckoutSession {
  id: string
  /** The top-up that the session was created for; null: it is not ours. */
  topupId: string | null
  state: SessionState
  /** The page to pay at; null once it cannot be used. */
  url: string | null
  expiresAtMs: number
  /** The amount paid or to be paid, in pico of `currency`, without tax. */
  amountPico: bigint
  /** Tax on top of the amount. */
  taxPico: bigint
  /** ISO 4217, in lower case. */
  currency: string
  paymentId: string | null
}

/** The payment in an event about money that went back. */
export interface PaymentReference {
  paymentId: string | null
  chargeId: string | null
  topupId: string | null
}

/** An event from a processor, in our terms. */
export type PaymentEvent =
  | { about: 'session'; session: CheckoutSession }
  /** The total of all refunds of a payment. */
  | { about: 'refund'; payment: PaymentReference; currency: string; refundedPico: bigint; asOfMs: number }
  /** A refund did not reach the customer. The refunded total has to be queried. */
  | { about: 'failed-refund'; payment: PaymentReference; asOfMs: number }
  | { about: 'dispute'; payment: PaymentReference; currency: string; dispute: Dispute }
  /** The result of a charge to a saved payment method. */
  | { about: 'charge'; charge: Charge }
  /** The charge of this top-up has changed. Its state has to be queried. */
  | { about: 'attempt'; topupId: string }
  /** Any other event. */
  | { about: 'nothing'; type: string }

/**
 * The state of a charge to a saved payment method.
 * - `processing`: the money is on its way (bank debits take days).
 * - `needs-action`: the customer's bank requires a confirmation, which only the customer can give.
 * - `canceled`: no money will move by it.
 */
export interface Charge {
  paymentId: string
  /** The invoice that it was made with; null: none. */
  invoiceId: string | null
  /** The top-up that it was made for; null: it is not ours. */
  topupId: string | null
  state: 'succeeded' | 'processing' | 'declined' | 'needs-action' | 'canceled'
  /** In pico of `currency`, without tax. */
  amountPico: bigint
  /** Tax on top of the amount. */
  taxPico: bigint
  currency: string
  /** The processor's reason why it did not succeed. */
  reason: string | null
}

/** A charge that the processor refused before it was made, so it does not exist. */
export interface ChargeRefused {
  state: 'refused'
  reason: string
}

/** A customer's bank demands a payment back. */
export interface Dispute {
  id: string
  amountPico: bigint
  /** It ended in our favour: the money stays, or came back. */
  released: boolean
}

/** Refunds and disputes, in the form of their events. */
export interface ReversalList {
  events: PaymentEvent[]
  /** When the list was queried, by the processor's clock. */
  asOfMs: number
  /** False if there were more than one query returns. */
  isWhole: boolean
}

/** All methods reject with a `GatewayError`: 503 if the processor is unreachable, 502 if it refuses us. */
export interface PaymentProcessor {
  readonly name: PaymentProcessorName
  /** Opens a checkout. For the same top-up again it returns the same session. */
  open(topup: Topup): Promise<CheckoutSession>
  /**
   * The current session of a top-up; undefined if the processor has none.
   * @param timeoutMs for a caller that waits; then there is no retry
   */
  sessionOf(topup: Topup, timeoutMs?: number): Promise<CheckoutSession | undefined>
  /** The session that a payment came through. */
  sessionOfPayment(payment: PaymentReference): Promise<CheckoutSession | undefined>
  /** Ends an open checkout, so that nobody pays there. Returns its final state. */
  close(topup: Topup): Promise<CheckoutSession | undefined>
  /** The payment method that the customer of a paid checkout has saved; undefined: none. */
  savedBy(topup: Topup): Promise<SavedMethod | undefined>
  /**
   * Charges a top-up to a saved payment method, once, however often it is called. Rejects with 503 if it is
   * unknown whether the charge was made; `findCharge` tells later.
   */
  charge(topup: Topup, method: PaymentMethod): Promise<Charge | ChargeRefused>
  /** The charge of a top-up, if there is one. */
  findCharge(topup: Topup, method: PaymentMethod): Promise<Charge | undefined>
  /** A charge by its payment; undefined if the processor has no such payment. */
  chargeOf(paymentId: string): Promise<Charge | undefined>
  /** Makes sure that a charge that has not succeeded never will. Returns its final state. */
  cancelCharge(charge: Charge): Promise<Charge>
  /** Makes sure that a charge that was begun but not made never will be. It may not exist. */
  abandonCharge(topup: Topup, method: PaymentMethod): Promise<void>
  /** Removes a saved payment method, which may be removed already. */
  forget(method: PaymentMethod): Promise<void>
  /** The current total of all refunds of a payment. */
  findRefunded(paymentId: string): Promise<bigint>
  /** Everything refunded or disputed since then, whether or not its events came. */
  listReversals(sinceMs: number): Promise<ReversalList>
}
