import type { PaymentProcessorName, Topup } from '../topups/topup.ts'
import type { AutoTopup, AutoTopupSettings, ChargeAttempt } from './auto-topup.ts'
import type { PaymentMethod, SavedMethod } from './payment-method.ts'

/** Each method is one transaction. What concludes an attempt changes nothing where that is not under way. */
export interface AutoTopupStore {
  find(accountId: string): Promise<AutoTopup | undefined>
  /** What it was charged this month, attempts under way included. */
  chargedPico(accountId: string, nowMs: number): Promise<bigint>
  /**
   * Changes what is to be charged when. Where it has stopped, or is given another payment method, it begins
   * anew; an attempt under way goes on as it began.
   * @returns undefined where the account has no such active payment method
   */
  set(accountId: string, settings: AutoTopupSettings, nowMs: number): Promise<AutoTopup | undefined>
  /** No attempt is made any more; one under way goes on. */
  disable(accountId: string, nowMs: number): Promise<void>

  /** Active ones, the newest first. */
  methods(accountId: string): Promise<PaymentMethod[]>
  findMethod(accountId: string, id: string): Promise<PaymentMethod | undefined>
  /**
   * Keeps what was saved at a top-up's checkout, once; undefined: there was nothing. Where that checkout was
   * one of `needs_action`, it is charged from now on.
   */
  keepMethod(topup: Topup, method: SavedMethod | undefined, nowMs: number): Promise<void>
  /** Paid top-ups whose payment method is still to be kept. */
  withMethodToKeep(limit: number): Promise<Topup[]>
  /** What would have been charged to it is disabled, and its processor is to let it go. */
  removeMethod(accountId: string, id: string, nowMs: number): Promise<void>
  /**
   * Removed ones that their processor may still have, the longest overdue first. Each is given to one caller,
   * and becomes due again later, ever more rarely, until it is forgotten.
   */
  claimRemoved(processor: PaymentProcessorName, limit: number, nowMs: number): Promise<PaymentMethod[]>
  /** Its processor has let it go. */
  forgotten(id: string): Promise<void>

  /**
   * New attempts, of accounts whose balance is below what they want. Each is one caller's until `untilMs`.
   * @param processor whose payment methods can be charged
   */
  begin(
    processor: PaymentProcessorName,
    limit: number,
    untilMs: number,
    nowMs: number,
  ): Promise<ChargeAttempt[]>
  /** Attempts under way of which nobody has told anything in time. Each is one caller's until `untilMs`. */
  claim(limit: number, untilMs: number, nowMs: number): Promise<ChargeAttempt[]>
  /** The attempt of a top-up, under way or not. */
  attemptOf(topupId: string): Promise<ChargeAttempt | undefined>
  /** It is looked at again then, by whoever comes first. */
  postpone(topupId: string, untilMs: number): Promise<void>

  recordSuccess(topupId: string, nowMs: number): Promise<void>
  recordFailure(topupId: string, reason: string, nowMs: number): Promise<void>
  /** It was never charged, and is not wanted any more. */
  withdrawn(topupId: string, nowMs: number): Promise<void>
  /** @param actionTopupId whose checkout is open now */
  needsAction(topupId: string, actionTopupId: string, nowMs: number): Promise<void>
  /** Goes on where the checkout of `needs_action` was paid, or was not in time. */
  concludeActions(limit: number, nowMs: number): Promise<void>
}
