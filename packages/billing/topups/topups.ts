import { GatewayError } from '@turnpike/protocol'
import { keyOfLedgerAccount } from '../ledger/ledger.ts'
import { ReversalSweep } from './reversal-sweep.ts'
import type {
  Charge,
  CheckoutSession,
  PaymentEvent,
  PaymentProcessor,
  PaymentReference,
} from './payment-processor.ts'
import type { AutoTopupStore } from '../auto-topups/auto-topup-store.ts'
import { forgetRemoved } from '../auto-topups/removed-methods.ts'
import { afterCharge, afterDispute, afterRefund, afterSession } from './settlement.ts'
import type { NewTopup, TopupChange, TopupStore } from './topup-store.ts'
import type { Topup, TopupLog } from './topup.ts'

/** Stripe knows an idempotency key for 24 hours; after that the same one would open a second session. */
const resumableMs = 23 * 60 * 60 * 1000
/** Asked about in one sweep at most. */
const sweepLimit = 100
/** How often any node asks about one session that its customer looks at (docs/contract.md, 6.4). */
const askAgainMs = 3_000
/** How long a customer who looks at it waits for the processor. */
const lookTimeoutMs = 2_000
const retryAfterSeconds = 5
/** Only an operator can change it. */
const unavailableRetryAfterSeconds = 3_600

type SavedMethods = Pick<AutoTopupStore, 'keepMethod' | 'claimRemoved' | 'forgotten'>

export interface TopupOptions {
  store: TopupStore
  /** Absent: nothing can be bought here. */
  processor: PaymentProcessor | undefined
  /** Where payment methods are kept that customers save. */
  methods: SavedMethods
  /** Unix epoch milliseconds. */
  clock: () => number
  log: TopupLog
  /** Credit was taken from this key: what nodes still hold of it should not be spent. */
  onDebit: (keyId: string) => Promise<void>
  /** What the account has paid in all is another sum. */
  onChanged?: (accountId: string) => void
}

/** Buying credit: opens checkouts, and books what the processor says became of them. */
export class Topups {
  readonly #store: TopupStore
  readonly #processor: PaymentProcessor | undefined
  readonly #methods: SavedMethods
  readonly #clock: () => number
  readonly #log: TopupLog
  readonly #onDebit: (keyId: string) => Promise<void>
  readonly #onChanged: ((accountId: string) => void) | undefined
  readonly #movedBack: ReversalSweep | undefined
  /** Questions that customers wait for, or did. */
  readonly #looking = new Set<Promise<void>>()

  constructor({ store, processor, methods, clock, log, onDebit, onChanged }: TopupOptions) {
    this.#store = store
    this.#processor = processor
    this.#methods = methods
    this.#clock = clock
    this.#log = log
    this.#onDebit = onDebit
    this.#onChanged = onChanged
    this.#movedBack =
      processor === undefined
        ? undefined
        : new ReversalSweep({ store, processor, log }, (event) => this.settle(event))
  }

  /**
   * A top-up with its checkout. What is kept first is our own row: whatever breaks after that, the same
   * idempotency key finds it, and the processor is asked for the same session.
   * @throws {GatewayError} 409 where the idempotency key was used for another one, 503 without the processor
   */
  async open(wanted: Omit<NewTopup, 'processor'>): Promise<Topup> {
    const processor = this.#requiredProcessor
    const nowMs = this.#clock()
    const topup = await this.#store.reserve({ ...wanted, processor: processor.name }, nowMs)
    if (topup.amountPico !== wanted.amountPico || topup.keyId !== wanted.keyId) throw reusedKeyError()
    if (topup.checkout !== null) return topup
    const isResumable = topup.processor === processor.name && nowMs - topup.createdAtMs < resumableMs
    if (!isResumable) throw tooLateError()
    return this.#attach(topup, await processor.open(topup))
  }

  /** The open top-up of links for this key, whatever its amount; where there is none, a new one. */
  async openLink(wanted: Pick<NewTopup, 'accountId' | 'keyId' | 'amountPico'>): Promise<Topup> {
    const processor = this.#requiredProcessor
    const link = { ...wanted, processor: processor.name, idempotencyKey: null, origin: 'link' as const }
    const topup = await this.#store.reserve(link, this.#clock())
    if (topup.processor !== processor.name) {
      // Nobody can pay there any more.
      await this.#change(topup, () => ({ movements: [], expired: true }))
      return this.openLink(wanted)
    }
    return topup.checkout === null ? this.#attach(topup, await processor.open(topup)) : topup
  }

  /** Ends an open checkout; answers what has become of it, which may be that it was paid. */
  async endCheckout(topup: Topup): Promise<Topup> {
    const session = await this.#requiredProcessor.close(topup)
    if (session !== undefined) await this.#settleSession(session)
    else await this.#change(topup, () => ({ movements: [], expired: true }))
    return (await this.#store.find(topup.id)) ?? topup
  }

  findLink(accountId: string, keyId: string | null): Promise<Topup | undefined> {
    return this.#store.findLink(accountId, keyId)
  }

  /** Undefined also where it is another account's. */
  async find(accountId: string, id: string): Promise<Topup | undefined> {
    const topup = await this.findAnyones(id)
    return topup?.accountId === accountId ? topup : undefined
  }

  /** For pages that are opened by whoever has their address. */
  async findAnyones(id: string): Promise<Topup | undefined> {
    const topup = await this.#store.find(id)
    if (topup === undefined) return undefined
    // One that is charged by itself has no checkout, and is there once it is paid.
    return topup.checkout !== null || topup.paidPico > 0n ? topup : undefined
  }

  list(...of: Parameters<TopupStore['list']>): ReturnType<TopupStore['list']> {
    return this.#store.list(...of)
  }

  /** All that an account ever paid, less what went back: tiers rise by it. */
  lifetimePico(accountId: string): Promise<bigint> {
    return this.#store.lifetimePico(accountId)
  }

  /**
   * Books what the processor tells. Resolves once it is committed, or was none of ours; rejects where it is
   * to be told again.
   */
  async settle(event: PaymentEvent): Promise<void> {
    switch (event.about) {
      case 'session':
        return this.#settleSession(event.session)
      case 'refund':
        if (!this.#isUsd(event.currency, event.payment)) return
        return this.#settlePayment(event.payment, async () => (topup) => {
          return afterRefund(topup, event.refundedPico, event.asOfMs)
        })
      case 'failed-refund':
        return this.#settlePayment(event.payment, async ({ paymentId }) => {
          const refundedPico = await this.#requiredProcessor.findRefunded(paymentId!)
          return (topup) => afterRefund(topup, refundedPico, event.asOfMs)
        })
      case 'dispute':
        if (!this.#isUsd(event.currency, event.payment)) return
        return this.#settlePayment(event.payment, async () => (topup) => afterDispute(topup, event.dispute))
      case 'charge':
      case 'attempt':
      case 'nothing':
    }
  }

  /**
   * A top-up as its processor knows it, for somebody who looks at it while it is open: who has just paid sees
   * that without an event. What is known of it already is the answer where the processor does not answer
   * soon.
   */
  async upToDate(topup: Topup): Promise<Topup> {
    const nowMs = this.#clock()
    const isOpen = topup.paidPico === 0n && !topup.expired && topup.checkout !== null
    if (!isOpen || topup.processor !== this.#processor?.name) return topup
    if (!(await this.#store.claim(topup.id, nowMs - askAgainMs, nowMs))) return topup
    const looking = this.#ask(topup, { timeoutMs: lookTimeoutMs })
      .catch((error: unknown) => {
        this.#log.warn(
          { topup: topup.id, error: String(error) },
          'the state of a top-up could not be queried',
        )
      })
      .finally(() => this.#looking.delete(looking))
    this.#looking.add(looking)
    const { promise: timedOut, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, lookTimeoutMs)
    await Promise.race([looking, timedOut])
    clearTimeout(timer)
    return (await this.#store.find(topup.id)) ?? topup
  }

  /** Resolves when nobody is asked any more on a customer's behalf. */
  async close(): Promise<void> {
    await Promise.all(this.#looking)
  }

  /**
   * Asks the processor about open top-ups, and about money that went back, so that an event that never came
   * is made up for; has it end those of closed accounts, and let go of payment methods that were removed.
   * Rejects with the first failure: what it was about will be due again.
   * @returns how many open ones were asked about
   */
  async sweep(): Promise<number> {
    const nowMs = this.#clock()
    await this.#store.dropAbandoned(nowMs - resumableMs)
    const due = await this.#store.claimDue(sweepLimit, nowMs)
    const failures: unknown[] = []
    const addFailure = (error: unknown): void => void failures.push(error)
    for (const topup of due) {
      await this.#ask(topup, { isToEnd: topup.isToEnd }).catch(addFailure)
      if (failures.some(isAway)) break
    }
    if (!failures.some(isAway)) await this.#movedBack?.run(nowMs).catch(addFailure)
    if (!failures.some(isAway)) await this.#forgetRemoved().catch(addFailure)
    if (failures.length > 0) throw failures[0]
    return due.length
  }

  async #forgetRemoved(): Promise<void> {
    const processor = this.#processor
    if (processor === undefined) return
    await forgetRemoved({ store: this.#methods, processor, clock: this.#clock })
  }

  get #requiredProcessor(): PaymentProcessor {
    if (this.#processor === undefined) throw noProcessorError()
    return this.#processor
  }

  async #ask(
    topup: Topup,
    { timeoutMs, isToEnd = false }: { timeoutMs?: number; isToEnd?: boolean },
  ): Promise<void> {
    const { processor, checkout } = topup
    if (checkout === null) return
    const mayAsk = processor === this.#processor?.name
    const findSession = (): Promise<CheckoutSession | undefined> =>
      isToEnd ? this.#requiredProcessor.close(topup) : this.#requiredProcessor.sessionOf(topup, timeoutMs)
    const session = mayAsk ? await findSession() : undefined
    if (session !== undefined) return this.#settleSession(session)
    // It is from before another processor, or another account with it, was configured.
    if (checkout.expiresAtMs > this.#clock()) return
    this.#log.warn(
      { topup: topup.id, processor },
      'the payment processor does not know this top-up: it is treated as expired',
    )
    await this.#change(topup, () => ({ movements: [], expired: true }))
  }

  async #settleSession(session: CheckoutSession): Promise<void> {
    const topup = await this.#topupOf(session)
    if (topup === undefined) return
    const fields = { topup: topup.id, session: session.id }
    if (session.state === 'paid') {
      if (!this.#isUsd(session.currency, fields)) return
      if (session.amountPico <= 0n) {
        this.#log.error(fields, 'a session is paid but has no amount: nothing was credited')
        return
      }
    }
    await this.#change(topup, (locked) => afterSession(locked, session))
    // The credit is booked; the payment method is kept now, or once the event comes again, or by the sweep.
    if (session.state === 'paid' && topup.savesMethod) await this.keepMethodOf(topup)
  }

  /** Keeps what the customer of a paid top-up lets us charge later, once. */
  async keepMethodOf({ id, processor: name }: Topup): Promise<void> {
    const topup = await this.#store.find(id)
    if (topup === undefined || topup.paidPico === 0n || name !== this.#processor?.name) return
    await this.#methods.keepMethod(topup, await this.#requiredProcessor.savedBy(topup), this.#clock())
  }

  /** Books a charge to a saved payment method that has succeeded. */
  async settleCharge(topup: Topup, charge: Charge): Promise<void> {
    const fields = { topup: topup.id, payment: charge.paymentId }
    if (!this.#isUsd(charge.currency, fields)) return
    await this.#change(topup, (locked) => afterCharge(locked, charge))
  }

  /** By the session; by its metadata where it came before its own creation was kept. */
  async #topupOf(session: CheckoutSession): Promise<Topup | undefined> {
    const { id, topupId, state } = session
    const known = await this.#store.findBySession(id)
    if (known !== undefined) return known
    const named = topupId === null ? undefined : await this.#store.find(topupId)
    if (named?.checkout === null) return this.#attach(named, session)
    const fields = { session: id, topup: topupId, state }
    if (state === 'paid')
      this.#log.error(fields, 'a session was paid that belongs to no top-up: nothing was credited')
    else this.#log.warn(fields, 'an event refers to a session that belongs to no top-up')
    return undefined
  }

  /** Of a payment that is not in the books yet, the session comes first: events keep no order. */
  async #settlePayment(
    payment: PaymentReference,
    decision: (topup: Topup) => Promise<(topup: Topup) => TopupChange>,
  ): Promise<void> {
    const topup = (await this.#findPaidTopup(payment)) ?? (await this.#settlePaid(payment))
    if (topup !== undefined) await this.#change(topup, await decision(topup))
  }

  async #findPaidTopup({ paymentId }: PaymentReference): Promise<Topup | undefined> {
    const topup = paymentId === null ? undefined : await this.#store.findByPayment(paymentId)
    return topup !== undefined && topup.paidPico > 0n ? topup : undefined
  }

  async #settlePaid(payment: PaymentReference): Promise<Topup | undefined> {
    const named = payment.topupId === null ? undefined : await this.#store.find(payment.topupId)
    if (named?.origin === 'auto') return this.#settleCharged(named, payment)
    const isAsked = named !== undefined && named.checkout !== null
    const session = isAsked
      ? await this.#requiredProcessor.sessionOf(named)
      : await this.#requiredProcessor.sessionOfPayment(payment)
    if (session === undefined && payment.paymentId !== null) {
      const charged = await this.#settleByInvoice(payment)
      if (charged !== undefined) return charged
    }
    if (session !== undefined) await this.#settleSession(session)
    const paymentId = session?.paymentId ?? payment.paymentId
    const topup = await this.#findPaidTopup({ ...payment, paymentId })
    if (topup === undefined)
      this.#log.warn({ ...payment }, 'an event refers to a payment that belongs to no top-up')
    return topup
  }

  /** Of a charge whose payment does not say what it was for, as one of an invoice. */
  async #settleByInvoice(payment: PaymentReference): Promise<Topup | undefined> {
    const charge = await this.#requiredProcessor.chargeOf(payment.paymentId!)
    const topupId = charge?.topupId ?? null
    const named = topupId === null ? undefined : await this.#store.find(topupId)
    return named?.origin === 'auto' ? this.#settleCharged(named, payment) : undefined
  }

  async #settleCharged(topup: Topup, payment: PaymentReference): Promise<Topup | undefined> {
    const { paymentId } = payment
    const charge = paymentId === null ? undefined : await this.#requiredProcessor.chargeOf(paymentId)
    if (charge?.topupId === topup.id && charge.state === 'succeeded') await this.settleCharge(topup, charge)
    return this.#findPaidTopup(payment)
  }

  #attach(topup: Topup, { id, url, expiresAtMs }: CheckoutSession): Promise<Topup> {
    return this.#store.attach(topup.id, { sessionId: id, url, expiresAtMs })
  }

  async #change(topup: Topup, decide: (topup: Topup) => TopupChange): Promise<void> {
    const changed = await this.#store.change(topup.id, decide, this.#clock())
    const posted = changed?.posted ?? []
    if (posted.length > 0) this.#onChanged?.(topup.accountId)
    for (const { debitAccount } of posted) {
      const keyId = keyOfLedgerAccount(debitAccount)
      if (keyId !== undefined) await this.#onDebit(keyId).catch(this.#notReturned)
    }
  }

  /** The books are right already: what is leased is spent at most once, and ends with its lease. */
  readonly #notReturned = (error: unknown): void => {
    this.#log.warn(
      { error: String(error) },
      'leases of credit that was refunded or disputed could not be returned',
    )
  }

  #isUsd(currency: string, fields: object): boolean {
    if (currency === 'usd') return true
    this.#log.error(
      { ...fields, currency },
      'a payment is in a currency other than USD: an operator has to check it',
    )
    return false
  }
}

/** Then the others need not be asked about. */
function isAway(error: unknown): boolean {
  return error instanceof GatewayError && error.status === 503
}

function noProcessorError(): GatewayError {
  const message = 'Credit cannot be bought here: the operator has not set up a payment processor.'
  return new GatewayError('service_unavailable', message, { retryAfterSeconds: unavailableRetryAfterSeconds })
}

function reusedKeyError(): GatewayError {
  return new GatewayError('conflict_error', 'This `Idempotency-Key` was already used for another top-up.', {
    param: 'Idempotency-Key',
  })
}

function tooLateError(): GatewayError {
  const message = 'The top-up of this `Idempotency-Key` was never opened. Use a new key.'
  return new GatewayError('conflict_error', message, { param: 'Idempotency-Key', retryAfterSeconds })
}
