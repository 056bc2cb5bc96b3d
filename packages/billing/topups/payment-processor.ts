import type { PaymentMethod, SavedMethod } from '../auto-topups/payment-method.ts'
import type { PaymentProcessorName, Topup } from './topup.ts'

/**
 * - `open`: the customer may pay.
 * - `processing`: the customer has done their part, and the money is on its way (bank debits take days).
 * - `failed`: it did not come. Such a session cannot be paid any more, nor can an `expired` one.
 */
export type SessionState = 'open' | 'processing' | 'paid' | 'failed' | 'expired'

/** A checkout session as its processor tells of it. */
export interface CheckoutSession {
  id: string
  /** What the session was made for; null: it is none of ours. */
  topupId: string | null
  state: SessionState
  /** The page to pay at; null once it is of no use. */
  url: string | null
  expiresAtMs: number
  /** What was paid, or is to be paid, in pico of `currency`, without tax. */
  amountPico: bigint
  /** Tax that is paid besides. */
  taxPico: bigint
  /** In lower case, as in ISO 4217 otherwise. */
  currency: string
  paymentId: string | null
}

/** What an event about money that went back knows of the payment it was. */
export interface PaymentReference {
  paymentId: string | null
  chargeId: string | null
  topupId: string | null
}

/** What a processor tells by itself, in our words. */
export type PaymentEvent =
  | { about: 'session'; session: CheckoutSession }
  /** So much of a payment has been refunded, all its refunds together. */
  | { about: 'refund'; payment: PaymentReference; currency: string; refundedPico: bigint; asOfMs: number }
  /** A refund did not reach the customer: what is refunded now has to be asked for. */
  | { about: 'failed-refund'; payment: PaymentReference; asOfMs: number }
  | { about: 'dispute'; payment: PaymentReference; currency: string; dispute: Dispute }
  /** What became of a charge to a saved payment method. */
  | { about: 'charge'; charge: Charge }
  /** Something became of the charge of this top-up: what, has to be asked for. */
  | { about: 'attempt'; topupId: string }
  /** Anything else. */
  | { about: 'nothing'; type: string }

/**
 * What a charge to a saved payment method has come to.
 * - `processing`: the money is on its way (bank debits take days).
 * - `needs-action`: the customer's bank wants them to confirm it, which nobody can for them.
 * - `canceled`: no money moves by it any more.
 */
export interface Charge {
  paymentId: string
  /** The invoice by which it was made; null: by none. */
  invoiceId: string | null
  /** What it was made for; null: it is none of ours. */
  topupId: string | null
  state: 'succeeded' | 'processing' | 'declined' | 'needs-action' | 'canceled'
  /** In pico of `currency`, without tax. */
  amountPico: bigint
  /** Tax that is paid besides. */
  taxPico: bigint
  currency: string
  /** The processor's word for why it did not succeed. */
  reason: string | null
}

/** A charge that the processor has refused before it was made: there is none. */
export interface ChargeRefused {
  state: 'refused'
  reason: string
}

/** A customer's bank asks a payment back. */
export interface Dispute {
  id: string
  amountPico: bigint
  /** It ended in our favour: the money stays, or came back. */
  released: boolean
}

/** Refunds and disputes, told as their events tell them. */
export interface ReversalList {
  events: PaymentEvent[]
  /** When it was asked, by its own clock. */
  asOfMs: number
  /** False where there were more than one look takes. */
  isWhole: boolean
}

/**
 * All methods reject with a `GatewayError` for the caller: 503 where the processor cannot be asked, 502 where
 * it refuses what we ask.
 */
export interface PaymentProcessor {
  readonly name: PaymentProcessorName
  /** Opens a checkout; for the same top-up again it answers the same session. */
  open(topup: Topup): Promise<CheckoutSession>
  /**
   * The session of a top-up as it is now; undefined where the processor has none.
   * @param timeoutMs for somebody who waits: then it is asked but once
   */
  sessionOf(topup: Topup, timeoutMs?: number): Promise<CheckoutSession | undefined>
  /** The session by which a payment came. */
  sessionOfPayment(payment: PaymentReference): Promise<CheckoutSession | undefined>
  /** Ends an open checkout, so that nobody pays there; answers what became of it. */
  close(topup: Topup): Promise<CheckoutSession | undefined>
  /** What the customer of a paid checkout lets us charge later; undefined: nothing. */
  savedBy(topup: Topup): Promise<SavedMethod | undefined>
  /**
   * Charges a top-up to a saved payment method, once however often it is called. Rejects with 503 where it
   * may have been made and may not: then `findCharge` tells, later.
   */
  charge(topup: Topup, method: PaymentMethod): Promise<Charge | ChargeRefused>
  /** The charge of a top-up, if there is one. */
  findCharge(topup: Topup, method: PaymentMethod): Promise<Charge | undefined>
  /** A charge by its payment; undefined where the processor has no such payment. */
  chargeOf(paymentId: string): Promise<Charge | undefined>
  /** Sees to it that a charge which has not succeeded never will; answers what became of it. */
  cancelCharge(charge: Charge): Promise<Charge>
  /** Sees to it that what was begun of a charge, and was not made, never is. There may be nothing of it. */
  abandonCharge(topup: Topup, method: PaymentMethod): Promise<void>
  /** Lets a saved payment method go. It may be gone already. */
  forget(method: PaymentMethod): Promise<void>
  /** What is refunded of a payment now, all its refunds together. */
  findRefunded(paymentId: string): Promise<bigint>
  /** What was refunded or disputed since then, whether or not its events came. */
  listReversals(sinceMs: number): Promise<ReversalList>
}
