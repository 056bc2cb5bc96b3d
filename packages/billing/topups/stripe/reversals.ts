import type Stripe from 'stripe'
import type { ReversalList, PaymentEvent } from '../payment-processor.ts'
import { picoOfCents } from '../cents.ts'
import { disputeEventOf, idOf } from './objects.ts'

const perPage = 100
/** Pages of refunds, and of disputes, in one check. */
const maxPages = 10
/** Stripe's clock is in whole seconds, read slightly after the list was made. */
const marginMs = 2_000

type ListParams = Pick<Stripe.RefundListParams, 'created' | 'limit' | 'starting_after'>

/**
 * Refunds and disputes created since then, in the form of their events: the refunded total of each payment,
 * and the state of each dispute.
 */
export async function listReversals(stripe: Stripe, sinceMs: number): Promise<ReversalList> {
  const created = { gte: Math.floor(sinceMs / 1000) }
  const refunds = await allPages((page) => stripe.refunds.list({ ...page, created, expand: ['data.charge'] }))
  const disputes = await allPages((page) => stripe.disputes.list({ ...page, created }))
  const events: PaymentEvent[] = []
  const newest = newestOfCharges(refunds.rows)
  for (const [chargeId, refund] of newest) {
    const charge =
      typeof refund.charge === 'object' && refund.charge !== null
        ? refund.charge
        : await stripe.charges.retrieve(chargeId)
    events.push({
      about: 'refund',
      payment: {
        paymentId: idOf(charge.payment_intent ?? refund.payment_intent),
        chargeId,
        topupId: charge.metadata?.['topup_id'] ?? null,
      },
      currency: charge.currency,
      refundedPico: picoOfCents(charge.amount_refunded),
      // By Stripe's clock only, like its events.
      asOfMs: Math.max(refunds.askedAtMs - marginMs, refund.created * 1000),
    })
  }
  return {
    events: [...events, ...disputes.rows.map(disputeEventOf)],
    asOfMs: Math.min(refunds.askedAtMs, disputes.askedAtMs),
    isWhole: refunds.isWhole && disputes.isWhole,
  }
}

function newestOfCharges(refunds: readonly Stripe.Refund[]): Map<string, Stripe.Refund> {
  const newest = new Map<string, Stripe.Refund>()
  for (const refund of refunds) {
    const chargeId = idOf(refund.charge)
    if (chargeId === null) continue
    const known = newest.get(chargeId)
    if (known === undefined || refund.created > known.created) newest.set(chargeId, refund)
  }
  return newest
}

type Listing<Row> = Stripe.Response<Stripe.ApiList<Row>>

async function allPages<Row extends { id: string }>(
  list: (page: ListParams) => Promise<Listing<Row>>,
): Promise<{ rows: Row[]; isWhole: boolean; askedAtMs: number }> {
  const rows: Row[] = []
  let askedAtMs = Number.POSITIVE_INFINITY
  for (let page = 0; page < maxPages; page++) {
    const last = rows.at(-1)
    const answer = await list({ limit: perPage, ...(last !== undefined && { starting_after: last.id }) })
    const saidMs = Date.parse(answer.lastResponse.headers['date'] ?? '')
    askedAtMs = Math.min(askedAtMs, Number.isNaN(saidMs) ? 0 : saidMs)
    rows.push(...answer.data)
    if (!answer.has_more || answer.data.length === 0) return { rows, isWhole: true, askedAtMs }
  }
  return { rows, isWhole: false, askedAtMs }
}
