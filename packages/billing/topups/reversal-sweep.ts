import type { PaymentEvent, PaymentProcessor } from './payment-processor.ts'
import type { TopupStore } from './topup-store.ts'
import { creditOf } from './settlement.ts'
import type { Topup, TopupLog } from './topup.ts'

const hourMs = 60 * 60 * 1000
/** A cardholder has 120 days to dispute a payment, and the bank decides later than that. */
const furthestBackMs = 180 * 24 * hourMs
/** How often all of them are checked: the end of a dispute is not listed by its own date. */
const wholeEveryMs = 6 * hourMs
/** Overlap of two checks: something created while a list is being read may be missing from it. */
const overlapMs = hourMs
/** Remembered payments that belong to no top-up, from other sales through the same account. */
const maxForeign = 10_000
/** How many of those are queried in one run. */
const foreignAtOnce = 20

type Reversal = Extract<PaymentEvent, { about: 'refund' | 'dispute' }>

/**
 * Finds refunds and disputes whose events were lost. They are recorded by the same rules as events, so that
 * whichever comes second changes nothing.
 */
export class ReversalSweep {
  readonly #store: TopupStore
  readonly #processor: PaymentProcessor
  readonly #log: TopupLog
  readonly #settle: (event: PaymentEvent) => Promise<void>
  readonly #foreign = new Set<string>()
  /** By the processor's clock. */
  #lookedAtMs: number | undefined
  #lookedAtAllMs = Number.NEGATIVE_INFINITY

  constructor(
    parts: { store: TopupStore; processor: PaymentProcessor; log: TopupLog },
    settle: (event: PaymentEvent) => Promise<void>,
  ) {
    this.#store = parts.store
    this.#processor = parts.processor
    this.#log = parts.log
    this.#settle = settle
  }

  /** Rejects with the first failure. Whatever failed is checked again next time. */
  async run(nowMs: number): Promise<void> {
    const isForAll = this.#lookedAtMs === undefined || nowMs - this.#lookedAtAllMs >= wholeEveryMs
    const sinceMs = isForAll ? nowMs - furthestBackMs : this.#lookedAtMs! - overlapMs
    const { events, asOfMs, isWhole } = await this.#processor.listReversals(sinceMs)
    if (!isWhole)
      this.#log.error(
        { sinceMs },
        'there are more refunds or disputes than one query returns: the oldest were left out',
      )
    await this.#settleAll(events)
    this.#lookedAtMs = asOfMs
    if (isForAll) this.#lookedAtAllMs = nowMs
  }

  async #settleAll(events: readonly PaymentEvent[]): Promise<void> {
    let failure: unknown
    let foreignCount = 0
    for (const event of events) {
      if (event.about !== 'refund' && event.about !== 'dispute') continue
      const { paymentId, chargeId } = event.payment
      const name = paymentId ?? chargeId ?? ''
      if (this.#foreign.has(name)) continue
      const topup = paymentId === null ? undefined : await this.#store.findByPayment(paymentId)
      if (topup === undefined && ++foreignCount > foreignAtOnce) continue
      if (topup !== undefined && isBooked(topup, event)) continue
      try {
        await this.#settle(event)
        if (topup === undefined) await this.#noteForeign(name)
      } catch (error) {
        failure ??= error
      }
    }
    if (failure !== undefined) throw failure
  }

  async #noteForeign(paymentId: string): Promise<void> {
    if ((await this.#store.findByPayment(paymentId)) !== undefined) return
    if (this.#foreign.size >= maxForeign) this.#foreign.clear()
    this.#foreign.add(paymentId)
  }
}

/** Whether a refund is recorded already. For a dispute only the ledger can tell. */
function isBooked(topup: Topup, event: Reversal): boolean {
  return event.about === 'refund' && topup.refundedPico === creditOf(topup, event.refundedPico)
}
