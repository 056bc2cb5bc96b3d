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

/** Stripe keeps an idempotency key for 24 hours; after that the same key would open a second session. */
const resumableMs = 23 * 60 * 60 * 1000
/** Top-ups queried in one sweep. */
const sweepLimit = 100
/** How often any node queries a session that its customer is looking at (docs/contract.md, 6.4). */
const askAgainMs = 3_000
/** How long such a customer waits for the processor. */
const lookTimeoutMs = 2_000
const retryAfterSeconds = 5
/** Only an operator can change this. */
const unavailableRetryAfterSeconds = 3_600

type SavedMethods = Pick<AutoTopupStore, 'keepMethod' | 'claimRemoved' | 'forgotten'>

export interface TopupOptions {
  store: TopupStore
  /** Undefined: nothing can be bought here. */
  processor: PaymentProcessor | undefined
  /** Stores the payment methods that customers save. */
  methods: SavedMethods
  /** Unix epoch milliseconds. */
  clock: () => number
  log: TopupLog
  /** Called when credit was taken from this key: nodes should not spend what they still hold of it. */
  onDebit: (keyId: string) => Promise<void>
  /** Called when the total that the account has paid has changed. */
  onChanged?: (accountId: string) => void
}

/** Buying credit: opens checkouts, and records their results as reported by the processor. */
export class Topups {
  readonly #store: TopupStore
  readonly #processor: PaymentProcessor | undefined
  readonly #methods: SavedMethods
  readonly #clock: () => number
  readonly #log: TopupLog
  readonly #onDebit: (keyId: string) => Promise<void>
  readonly #onChanged: ((accountId: string) => void) | undefined
  readonly #movedBack: ReversalSweep | undefined
  /** Queries on behalf of customers that may still be running. */
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
   * Opens a top-up with its checkout. Our own row is stored first: whatever fails after that, the same
   * idempotency key finds it, and the processor is asked for the same session.
   * @throws {GatewayError} 409 if the idempotency key was used for another top-up, 503 without a processor
   */
  async open(request: Omit<NewTopup, 'processor'>): Promise<Topup> {
    const processor = this.#requiredProcessor
    const nowMs = this.#clock()
    const topup = await this.#store.reserve({ ...request, processor: processor.name }, nowMs)
    if (topup.amountPico !== request.amountPico || topup.keyId !== request.keyId) throw reusedKeyError()
    if (topup.checkout !== null) return topup
    const isResumable = topup.processor === processor.name && nowMs - topup.createdAtMs < resumableMs
    if (!isResumable) throw tooLateError()
    return this.#attach(topup, await processor.open(topup))
  }

  /** Returns the open top-up of links for this key, whatever its amount, or opens one. */
  async openLink(request: Pick<NewTopup, 'accountId' | 'keyId' | 'amountPico'>): Promise<Topup> {
    const processor = this.#requiredProcessor
    const link = { ...request, processor: processor.name, idempotencyKey: null, origin: 'link' as const }
    const topup = await this.#store.reserve(link, this.#clock())
    if (topup.processor !== processor.name) {
      // Nobody can pay there any more.
      await this.#change(topup, () => ({ movements: [], expired: true }))
      return this.openLink(request)
    }
    return topup.checkout === null ? this.#attach(topup, await processor.open(topup)) : topup
  }

  /** Ends an open checkout. Returns the top-up in its final state, which may be paid. */
  async endCheckout(topup: Topup): Promise<Topup> {
    const session = await this.#requiredProcessor.close(topup)
    if (session !== undefined) await this.#settleSession(session)
    else await this.#change(topup, () => ({ movements: [], expired: true }))
    return (await this.#store.find(topup.id)) ?? topup
  }

  findLink(accountId: string, keyId: string | null): Promise<Topup | undefined> {
    return this.#store.findLink(accountId, keyId)
  }

  /** Undefined also for a top-up of another account. */
  async find(accountId: string, id: string): Promise<Topup | undefined> {
    const topup = await this.findAnyones(id)
    return topup?.accountId === accountId ? topup : undefined
  }

  /** For pages that anybody with their address may open. */
  async findAnyones(id: string): Promise<Topup | undefined> {
    const topup = await this.#store.find(id)
    if (topup === undefined) return undefined
    // A top-up without a checkout (`auto`) exists for callers once it is paid.
    return topup.checkout !== null || topup.paidPico > 0n ? topup : undefined
  }

  list(...of: Parameters<TopupStore['list']>): ReturnType<TopupStore['list']> {
    return this.#store.list(...of)
  }

  /** Everything that an account ever paid, minus what went back: its tier depends on it. */
  lifetimePico(accountId: string): Promise<bigint> {
    return this.#store.lifetimePico(accountId)
  }

  /**
   * Records an event from the processor. Resolves once it is committed, or if it is not ours; rejects if the
   * event must be sent again.
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
   * The current state of a top-up, for a customer who looks at it while it is open, so that a payment is
   * visible without its event. If the processor does not respond soon, returns the known state.
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

  /** Resolves once no queries on behalf of customers are running. */
  async close(): Promise<void> {
    await Promise.all(this.#looking)
  }

  /**
   * Queries the processor about open top-ups and about money that went back, in case events were lost. Also
   * ends checkouts of closed accounts, and removes payment methods that were removed here. Rejects with the
   * first failure; whatever failed will be due again.
   * @returns the number of open top-ups that were queried
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
    // It is from another processor, or another account with it, that was configured before.
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
    // The credit is recorded. The payment method is saved now, when the event is repeated, or by the sweep.
    if (session.state === 'paid' && topup.savesMethod) await this.keepMethodOf(topup)
  }

  /** Saves the payment method of a paid top-up, once. */
  async keepMethodOf({ id, processor: name }: Topup): Promise<void> {
    const topup = await this.#store.find(id)
    if (topup === undefined || topup.paidPico === 0n || name !== this.#processor?.name) return
    await this.#methods.keepMethod(topup, await this.#requiredProcessor.savedBy(topup), this.#clock())
  }

  /** Records a successful charge to a saved payment method. */
  async settleCharge(topup: Topup, charge: Charge): Promise<void> {
    const fields = { topup: topup.id, payment: charge.paymentId }
    if (!this.#isUsd(charge.currency, fields)) return
    await this.#change(topup, (locked) => afterCharge(locked, charge))
  }

  /** Finds a top-up by its session, or by the session's metadata if the session was not stored yet. */
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

  /** If a payment is not recorded yet, its session is processed first, because events come in any order. */
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

  /** For a charge whose payment does not name its top-up, such as that of an invoice. */
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

  /** The ledger is correct already: leased credit is spent at most once, and ends with its lease. */
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

/** Then the remaining queries would fail too. */
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
