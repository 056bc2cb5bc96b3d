import type { PaymentProcessorName, Topup } from '../topups/topup.ts'
import type { AutoTopup, AutoTopupSettings, ChargeAttempt } from './auto-topup.ts'
import type { PaymentMethod, SavedMethod } from './payment-method.ts'

/** Each method is one transaction. Concluding an attempt that is not running changes nothing. */
export interface AutoTopupStore {
  find(accountId: string): Promise<AutoTopup | undefined>
  /** What the account was charged this month, including running attempts. */
  chargedPico(accountId: string, nowMs: number): Promise<bigint>
  /**
   * Changes the settings. If automatic top-ups have stopped, or the payment method changes, they start again;
   * a running attempt continues unchanged.
   * @returns undefined if the account has no such active payment method
   */
  set(accountId: string, settings: AutoTopupSettings, nowMs: number): Promise<AutoTopup | undefined>
  /** Stops further attempts. A running one continues. */
  disable(accountId: string, nowMs: number): Promise<void>

  /** Active payment methods, newest first. */
  methods(accountId: string): Promise<PaymentMethod[]>
  findMethod(accountId: string, id: string): Promise<PaymentMethod | undefined>
  /**
   * Saves the payment method of a top-up's checkout, once; undefined: there was none. If that checkout was
   * one of `needs_action`, automatic top-ups use this method from now on.
   */
  keepMethod(topup: Topup, method: SavedMethod | undefined, nowMs: number): Promise<void>
  /** Paid top-ups whose payment method is not saved yet. */
  withMethodToKeep(limit: number): Promise<Topup[]>
  /** Removes the method, disables automatic top-ups that use it, and makes it due at its processor. */
  removeMethod(accountId: string, id: string, nowMs: number): Promise<void>
  /**
   * Removed methods that their processor may still have, longest overdue first. Each goes to one caller, and
   * becomes due again at growing intervals until `forgotten` is called.
   */
  claimRemoved(processor: PaymentProcessorName, limit: number, nowMs: number): Promise<PaymentMethod[]>
  /** Records that the processor has removed it. */
  forgotten(id: string): Promise<void>

  /**
   * Starts attempts for accounts whose balance is below their threshold. Each belongs to one caller until
   * `untilMs`.
   * @param processor only payment methods of this processor are charged
   */
  begin(
    processor: PaymentProcessorName,
    limit: number,
    untilMs: number,
    nowMs: number,
  ): Promise<ChargeAttempt[]>
  /** Running attempts without a result in time. Each belongs to one caller until `untilMs`. */
  claim(limit: number, untilMs: number, nowMs: number): Promise<ChargeAttempt[]>
  /** The attempt of a top-up, running or not. */
  attemptOf(topupId: string): Promise<ChargeAttempt | undefined>
  /** Makes the attempt due at this time, for the first caller that claims it. */
  postpone(topupId: string, untilMs: number): Promise<void>

  recordSuccess(topupId: string, nowMs: number): Promise<void>
  recordFailure(topupId: string, reason: string, nowMs: number): Promise<void>
  /** Ends an attempt that was never charged and is no longer wanted. */
  withdrawn(topupId: string, nowMs: number): Promise<void>
  /** @param actionTopupId the top-up whose checkout is open now */
  needsAction(topupId: string, actionTopupId: string, nowMs: number): Promise<void>
  /** Ends `needs_action` where its checkout was paid, or not paid in time. */
  concludeActions(limit: number, nowMs: number): Promise<void>
}
