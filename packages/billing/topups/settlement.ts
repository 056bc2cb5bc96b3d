import type { Charge, CheckoutSession, Dispute } from './payment-processor.ts'
import type { TopupChange, TopupMovement } from './topup-store.ts'
import type { Topup } from './topup.ts'
import { centsOf, picoOfCents } from './cents.ts'

/*
 * What an event means for a top-up. Each rule gives the same sums whatever came before it, how often and in
 * which order: a processor promises no order, and delivers again whenever it is in doubt.
 */

const unchanged: TopupChange = { movements: [] }

/** What was really paid is credited, once, whatever was asked for and whichever event says so first. */
export function afterSession(topup: Topup, session: CheckoutSession): TopupChange {
  const { paymentId } = session
  if (session.state === 'expired') return { movements: [], expired: true }
  if (session.state === 'failed') return { movements: [], expired: true, failed: true }
  if (session.state !== 'paid') return paymentId === null ? unchanged : { movements: [], paymentId }
  const reason = topup.processor === 'sandbox' ? 'sandbox checkout: not real money' : session.id
  const credit: TopupMovement = {
    of: 'paid',
    kind: 'topup',
    amountPico: session.amountPico,
    reference: topupReference(topup),
    reason,
  }
  if (topup.paidPico > 0n) return { movements: [], paymentId }
  return { movements: [credit], paymentId, taxPico: session.taxPico }
}

/** A charge to a saved payment method that has succeeded is credited, once. */
export function afterCharge(topup: Topup, { paymentId, amountPico, taxPico }: Charge): TopupChange {
  const reason = topup.processor === 'sandbox' ? 'automatic top-up in the sandbox: not real money' : paymentId
  const credit: TopupMovement = {
    of: 'paid',
    kind: 'topup',
    amountPico,
    reference: topupReference(topup),
    reason,
  }
  if (topup.paidPico > 0n) return { movements: [], paymentId }
  return { movements: [credit], paymentId, taxPico }
}

/**
 * The credit that so much of a payment bought. Tax buys none; what goes back of it takes its share of both.
 * Of a sum it is reckoned once, so that all of it together is all of the credit.
 */
export function creditOf({ paidPico, taxPico }: Topup, grossPico: bigint): bigint {
  const wholePico = paidPico + taxPico
  if (taxPico === 0n || grossPico >= wholePico) return grossPico - taxPico
  return (grossPico * paidPico + wholePico / 2n) / wholePico
}

/** What was paid for so much credit, its tax included: of what went back, in whole cents as it did. */
export function grossOf({ paidPico, taxPico }: Topup, creditPico: bigint): bigint {
  if (taxPico === 0n) return creditPico
  const cent = picoOfCents(1)
  const grossPico = (creditPico * (paidPico + taxPico)) / paidPico
  return ((grossPico + cent / 2n) / cent) * cent
}

/**
 * `refundedPico` is the sum of all refunds until `asOfMs`. Of two sums of one moment the larger is the later:
 * refunds are made one after the other, and take days to fail.
 */
export function afterRefund(topup: Topup, refundedPico: bigint, asOfMs: number): TopupChange {
  const creditPico = creditOf(topup, refundedPico)
  const isOld =
    asOfMs < topup.refundsAsOfMs || (asOfMs === topup.refundsAsOfMs && creditPico < topup.refundedPico)
  if (isOld) return unchanged
  const morePico = creditPico - topup.refundedPico
  if (morePico === 0n) return { movements: [], refundsAsOfMs: asOfMs }
  const movement: TopupMovement = {
    of: 'refunded',
    reference: `${topupReferences.refund}${topup.id}:${centsOf(refundedPico)}:${asOfMs}`,
    amountPico: -morePico,
    ...(morePico > 0n
      ? { kind: 'refund', reason: `refund of ${topup.id}` }
      : { kind: 'adjustment', reason: `a refund of ${topup.id} failed` }),
  }
  return { movements: [movement], refundsAsOfMs: asOfMs }
}

/**
 * What is disputed is taken at once, so that nobody spends it while the bank decides, and given back where
 * that is in our favour. A dispute heard of only when it has ended leaves the same two entries.
 */
export function afterDispute(topup: Topup, { id, amountPico, released }: Dispute): TopupChange {
  // A bank may ask for more than was paid, where a rate of exchange has changed: not the customer's loss.
  const creditPico = creditOf(topup, amountPico)
  const takenPico = creditPico < topup.paidPico ? creditPico : topup.paidPico
  const taken: TopupMovement = {
    of: 'disputed',
    kind: 'refund',
    amountPico: -takenPico,
    reference: `${topupReferences.dispute}${topup.id}:${id}`,
    reason: `dispute of ${topup.id}`,
  }
  const given: TopupMovement = {
    of: 'disputed',
    kind: 'reversal',
    reverses: taken.reference,
    reference: `${taken.reference}:ended`,
    reason: `dispute of ${topup.id} won`,
  }
  return { movements: released ? [taken, given] : [taken] }
}

/** How the references of a top-up's entries in the ledger begin; its identifier follows. */
export const topupReferences = { paid: 'topup:', refund: 'refund:', dispute: 'dispute:' } as const

/** The top-up that a reference is of; undefined: it is of none. */
export function topupOfReference(reference: string): string | undefined {
  const begins = Object.values(topupReferences).find((start) => reference.startsWith(start))
  const id = begins && reference.slice(begins.length).split(':', 1)[0]
  return id?.startsWith('top_') === true ? id : undefined
}

/** The reference of a top-up's credit in the ledger (docs/contract.md, 4.8). */
export function topupReference(topup: Pick<Topup, 'id'>): string {
  return `${topupReferences.paid}${topup.id}`
}
