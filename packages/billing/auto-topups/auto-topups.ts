import { GatewayError } from '@turnpike/protocol'
import type { Charge, ChargeRefused, PaymentProcessor } from '../topups/payment-processor.ts'
import type { Topups } from '../topups/topups.ts'
import type { TopupLog } from '../topups/topup.ts'
import type { AutoTopupStore } from './auto-topup-store.ts'
import { authenticationRequired, type ChargeAttempt } from './auto-topup.ts'
import type { PaymentMethod } from './payment-method.ts'

/** Attempts handled in one run, per kind. */
const runLimit = 20
/** How long an attempt belongs to its node: longer than a call to the processor takes. */
const claimMs = 2 * 60 * 1000
/** A bank debit takes days, but its event comes; this is only how soon it is checked without one. */
const processingMs = 60 * 60 * 1000
/** Stripe keeps an idempotency key for 24 hours: within this time the same charge can be requested again. */
const repeatableMs = 23 * 60 * 60 * 1000
const neverCharged = 'no_answer'

export interface AutoTopupOptions {
  store: AutoTopupStore
  topups: Topups
  processor: PaymentProcessor
  /** False: starts no new charges, but follows up earlier ones. Default: true. */
  mayCharge?: boolean
  /** Unix epoch milliseconds. */
  clock: () => number
  log: TopupLog
}

/**
 * Charges saved payment methods when credit runs low. Each attempt is a top-up of its own, and an account has
 * only one at a time. The processor is called with the top-up's identifier, and the ledger credits by its
 * reference, so nothing that is done twice, or by two nodes, counts twice. A lost response is no failure:
 * there is no other charge until the result is known.
 */
export class AutoTopups {
  readonly #store: AutoTopupStore
  readonly #topups: Topups
  readonly #processor: PaymentProcessor
  readonly #mayCharge: boolean
  readonly #clock: () => number
  readonly #log: TopupLog

  constructor({ store, topups, processor, mayCharge = true, clock, log }: AutoTopupOptions) {
    this.#store = store
    this.#topups = topups
    this.#processor = processor
    this.#mayCharge = mayCharge
    this.#clock = clock
    this.#log = log
  }

  /** Handles everything that is due. Failures are logged and retried later. */
  async run(): Promise<void> {
    for (const topup of await this.#store.withMethodToKeep(runLimit))
      await this.#logFailure(topup.id, this.#topups.keepMethodOf(topup))
    await this.#store.concludeActions(runLimit, this.#clock())
    const untilMs = this.#clock() + claimMs
    const lost = await this.#store.claim(runLimit, untilMs, this.#clock())
    await Promise.all(lost.map((attempt) => this.#logFailure(attempt.topup.id, this.#resume(attempt))))
    if (!this.#mayCharge) return
    const { name } = this.#processor
    const begun = await this.#store.begin(name, runLimit, this.#clock() + claimMs, this.#clock())
    await Promise.all(begun.map((attempt) => this.#logFailure(attempt.topup.id, this.#charge(attempt))))
  }

  /** Records a charge that the processor reports. Rejects if the event must be sent again. */
  async settle(charge: Charge): Promise<void> {
    const attempt = charge.topupId === null ? undefined : await this.#store.attemptOf(charge.topupId)
    if (attempt === undefined) {
      this.#log.warn({ payment: charge.paymentId }, 'an event refers to a charge that belongs to no top-up')
      return
    }
    await this.#finish(attempt, charge)
  }

  /** Queries and records the result of a charge. Rejects if the event must be sent again. */
  async settleAttempt(topupId: string): Promise<void> {
    const attempt = await this.#store.attemptOf(topupId)
    if (attempt === undefined) {
      this.#log.warn({ topup: topupId }, 'an event refers to a charge that belongs to no top-up')
      return
    }
    if (attempt.topup.processor !== this.#processor.name) return
    const charge = await this.#processor.findCharge(attempt.topup, attempt.method)
    if (charge !== undefined) await this.#finish(attempt, charge)
  }

  /** Removes a saved payment method here at once, and at the processor once that can be reached. */
  async removeMethod(method: PaymentMethod): Promise<void> {
    await this.#store.removeMethod(method.accountId, method.id, this.#clock())
    if (method.processor !== this.#processor.name) return
    try {
      await this.#processor.forget(method)
      await this.#store.forgotten(method.id)
    } catch (error) {
      this.#log.warn(
        { method: method.id, error: String(error) },
        'a payment method could not be detached; it is tried again later',
      )
    }
  }

  /** Continues an attempt that may have been charged by a killed node, or whose response was lost. */
  async #resume(attempt: ChargeAttempt): Promise<void> {
    const { topup, method } = attempt
    if (topup.processor !== this.#processor.name)
      return this.#store.recordFailure(topup.id, 'another_processor', this.#clock())
    const charge = await this.#processor.findCharge(topup, method)
    if (charge !== undefined) return this.#finish(attempt, charge)
    const isRepeatable = this.#clock() - topup.createdAtMs < repeatableMs
    if (isRepeatable && attempt.isWanted && this.#mayCharge) return this.#charge(attempt)
    await this.#processor.abandonCharge(topup, method)
    if (isRepeatable) await this.#store.withdrawn(topup.id, this.#clock())
    else await this.#store.recordFailure(topup.id, neverCharged, this.#clock())
  }

  async #charge(attempt: ChargeAttempt): Promise<void> {
    const { topup, method } = attempt
    await this.#finish(attempt, await this.#processor.charge(topup, method))
  }

  async #finish(attempt: ChargeAttempt, charge: Charge | ChargeRefused): Promise<void> {
    const { topup } = attempt
    switch (charge.state) {
      case 'succeeded':
        await this.#topups.settleCharge(topup, charge)
        return this.#store.recordSuccess(topup.id, this.#clock())
      case 'processing':
        return this.#store.postpone(topup.id, this.#clock() + processingMs)
      case 'needs-action':
        return this.#askForAction(attempt, charge)
      case 'declined':
      case 'canceled':
      case 'refused':
        this.#log.warn({ topup: topup.id, reason: charge.reason }, 'an automatic top-up has failed')
        return this.#store.recordFailure(topup.id, charge.reason ?? charge.state, this.#clock())
    }
  }

  /**
   * Cancels the charge first, so that it and the checkout are never both paid. Then opens the checkout with a
   * key that finds it again, and reports it.
   */
  async #askForAction(attempt: ChargeAttempt, charge: Charge): Promise<void> {
    const { topup } = attempt
    const ended = await this.#processor.cancelCharge(charge)
    if (ended.state === 'succeeded' || ended.state === 'processing') return this.#finish(attempt, ended)
    const { accountId, amountPico } = topup
    // The checkout could not be opened in all that time, and cannot be any more.
    if (this.#clock() - topup.createdAtMs >= repeatableMs)
      return this.#store.recordFailure(topup.id, authenticationRequired, this.#clock())
    const action = await this.#topups.open({
      accountId,
      amountPico,
      keyId: null,
      idempotencyKey: `${authenticationRequired}:${topup.id}`,
      savesMethod: true,
    })
    await this.#store.needsAction(topup.id, action.id, this.#clock())
  }

  async #logFailure(topupId: string, work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      const detail = error instanceof GatewayError ? error.detail : undefined
      this.#log.warn(
        { topup: topupId, error: String(error), detail },
        'the state of an automatic top-up is unknown: the payment processor is asked again',
      )
    }
  }
}
