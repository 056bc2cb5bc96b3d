import type { Topup } from '../topups/topup.ts'
import type { PaymentMethod } from './payment-method.ts'

/**
 * - `idle`: nothing is under way.
 * - `charging`: an attempt is under way, and there is no other one until it is known what became of it.
 * - `needs_action`: the customer's bank wants them to confirm; a checkout of the same amount is open.
 * - `waiting`: an attempt failed, and another one is made later.
 * - `stopped`: too many have failed one after the other. Somebody has to look at it.
 */
export const autoTopupStates = ['idle', 'charging', 'needs_action', 'waiting', 'stopped'] as const
export type AutoTopupState = (typeof autoTopupStates)[number]

export interface AutoTopupSettings {
  enabled: boolean
  /** Below this balance of the account it is charged. */
  thresholdPico: bigint
  /** So much at a time. */
  amountPico: bigint
  /** In a month (UTC) never more. */
  monthlyCapPico: bigint
  /** `pmt_…` */
  paymentMethodId: string
}

export interface AutoTopup extends AutoTopupSettings {
  accountId: string
  state: AutoTopupState
  /** The attempt under way, or the last one. */
  topupId: string | null
  /** The open checkout of `needs_action`. */
  actionTopupId: string | null
  attemptsFailed: number
  /** When it may go on; in the past: now. */
  nextAtMs: number
  /** Why the last attempt failed; null: it did not. */
  failure: string | null
  /** `2026-11`: this month's cap has kept a charge from being made. */
  cappedMonth: string | null
  updatedAtMs: number
}

/** A charge that is to be made, or of which it is not known what became. */
export interface ChargeAttempt {
  topup: Topup
  method: PaymentMethod
  /** False: if it was not charged yet, it is not to be. It was turned off, or the account is not active. */
  isWanted: boolean
}

export const authenticationRequired = 'authentication_required'
/** Why it stops where money of any top-up went back: else it would charge that again. */
export type ReversalReason = 'refunded' | 'disputed'

/** So many attempts may fail one after the other. */
const mostFailures = 3
const hourMs = 60 * 60 * 1000
/** Before the second and the third attempt. */
const waitsMs = [hourMs, 6 * hourMs]
/** So long a checkout of `needs_action` may stay open, until it counts as a failure. */
export const actionMs = 24 * hourMs
/** What a charge gave is counted before another one is thought of. */
export const restMs = 60 * 1000

/** What becomes of it where an attempt has failed. */
export function afterFailure(
  attemptsFailed: number,
  nowMs: number,
): Pick<AutoTopup, 'state' | 'attemptsFailed' | 'nextAtMs'> {
  const failed = attemptsFailed + 1
  if (failed >= mostFailures) return { state: 'stopped', attemptsFailed: failed, nextAtMs: nowMs }
  return { state: 'waiting', attemptsFailed: failed, nextAtMs: nowMs + waitsMs[failed - 1]! }
}

/** `2026-11`, in UTC. */
export function monthOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 7)
}

export function monthStartMs(timeMs: number): number {
  return Date.parse(`${monthOf(timeMs)}-01T00:00:00Z`)
}
