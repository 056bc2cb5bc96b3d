import type { PaymentEvent, PaymentProcessor } from './payment-processor.ts'
import type { TopupStore } from './topup-store.ts'
import { creditOf } from './settlement.ts'
import type { Topup, TopupLog } from './topup.ts'

const hourMs = 60 * 60 * 1000
/** A card's holder has 120 days to dispute a payment, and the bank decides later than that. */
const furthestBackMs = 180 * 24 * hourMs
/** How a dispute ends is told by itself, whenever it was made: so all of them are looked at so often. */
const wholeEveryMs = 6 * hourMs
/** Looked at again: what is made while a list is read may be in none. */
const overlapMs = hourMs
/** Payments that no top-up knows, of what else is sold by the same account with the processor. */
const maxForeign = 10_000
/** Of those the processor is asked for so many in one look. */
const foreignAtOnce = 20

type Reversal = Extract<PaymentEvent, { about: 'refund' | 'dispute' }>

/**
 * Finds refunds and disputes whose events were lost. What it finds is booked as their events are, by the same
 * rules, so that whichever comes first, or again, changes nothing.
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

  /** Rejects with the first failure; what it was about is looked at again. */
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
    let asked = 0
    for (const event of events) {
      if (event.about !== 'refund' && event.about !== 'dispute') continue
      const { paymentId, chargeId } = event.payment
      const name = paymentId ?? chargeId ?? ''
      if (this.#foreign.has(name)) continue
      const topup = paymentId === null ? undefined : await this.#store.findByPayment(paymentId)
      if (topup === undefined && ++asked > foreignAtOnce) continue
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

/** Of a dispute the ledger alone can tell. */
function isBooked(topup: Topup, event: Reversal): boolean {
  return event.about === 'refund' && topup.refundedPico === creditOf(topup, event.refundedPico)
}
