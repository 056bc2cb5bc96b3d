import type { Topup } from '../topups/topup.ts'
import type { PaymentMethod } from './payment-method.ts'

/**
 * - `idle`: no attempt is running.
 * - `charging`: an attempt is running; there is no other one until its result is known.
 * - `needs_action`: the customer's bank requires a confirmation; a checkout of the same amount is open.
 * - `waiting`: an attempt failed, and another one follows later.
 * - `stopped`: too many attempts failed in a row. Somebody has to look at it.
 */
export const autoTopupStates = ['idle', 'charging', 'needs_action', 'waiting', 'stopped'] as const
export type AutoTopupState = (typeof autoTopupStates)[number]

export interface AutoTopupSettings {
  enabled: boolean
  /** The account is charged when its balance falls below this. */
  thresholdPico: bigint
  /** The amount of one charge. */
  amountPico: bigint
  /** The limit per month (UTC). */
  monthlyCapPico: bigint
  /** `pmt_…` */
  paymentMethodId: string
}

export interface AutoTopup extends AutoTopupSettings {
  accountId: string
  state: AutoTopupState
  /** The running attempt, or the last one. */
  topupId: string | null
  /** The open checkout of `needs_action`. */
  actionTopupId: string | null
  attemptsFailed: number
  /** When the next step may be taken; a time in the past means now. */
  nextAtMs: number
  /** Why the last attempt failed; null: it did not. */
  failure: string | null
  /** `2026-11`: the month whose cap prevented a charge. */
  cappedMonth: string | null
  updatedAtMs: number
}

/** A charge that is to be made, or whose result is unknown. */
export interface ChargeAttempt {
  topup: Topup
  method: PaymentMethod
  /**
   * False: do not charge it unless that has happened already, because automatic top-ups were disabled or the
   * account is not active.
   */
  isWanted: boolean
}

export const authenticationRequired = 'authentication_required'
/** Why automatic top-ups stop after a reversal: otherwise they would charge the reversed money again. */
export type ReversalReason = 'refunded' | 'disputed'

/** Attempts that may fail in a row. */
const mostFailures = 3
const hourMs = 60 * 60 * 1000
/** Waits before the second and the third attempt. */
const waitsMs = [hourMs, 6 * hourMs]
/** How long a checkout of `needs_action` may stay open before it counts as a failure. */
export const actionMs = 24 * hourMs
/** Pause after a charge, so that its credit is counted before another one is considered. */
export const restMs = 60 * 1000

/** The state after a failed attempt. */
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
