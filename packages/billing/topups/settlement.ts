import type { Charge, CheckoutSession, Dispute } from './payment-processor.ts'
import type { TopupChange, TopupMovement } from './topup-store.ts'
import type { Topup } from './topup.ts'
import { centsOf, picoOfCents } from './cents.ts'

/*
 * What an event means for a top-up. Each rule gives the same sums whatever came before, however often and in
 * whatever order: a processor promises no order, and repeats events in case of doubt.
 */

const unchanged: TopupChange = { movements: [] }

/** Credits the amount that was really paid, once, whatever was requested and whichever event comes first. */
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

/** Credits a successful charge to a saved payment method, once. */
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
 * The credit bought by a part of a payment. Tax buys none, and a refund reduces both in proportion. It is
 * computed once from the total, so that refunding everything takes all of the credit.
 */
export function creditOf({ paidPico, taxPico }: Topup, grossPico: bigint): bigint {
  const wholePico = paidPico + taxPico
  if (taxPico === 0n || grossPico >= wholePico) return grossPico - taxPico
  return (grossPico * paidPico + wholePico / 2n) / wholePico
}

/** What was paid for this much credit, including tax. Amounts that went back are in whole cents. */
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
 * Takes a disputed amount at once, so that it cannot be spent while the bank decides, and gives it back if we
 * win. A dispute that is reported only after it has ended leads to the same two entries.
 */
export function afterDispute(topup: Topup, { id, amountPico, released }: Dispute): TopupChange {
  // If the exchange rate changed, a bank may demand more than was paid; this is not the customer's loss.
  const creditPico = creditOf(topup, amountPico)
  const takenPico = creditPico < topup.paidPico ? creditPico : topup.paidPico
  const taken: TopupMovement = {
    of: 'disputed',
    kind: 'refund',
    amountPico: -takenPico,
    reference: `${topupReferences.dispute}${topup.id}:${id}`,
    reason: `dispute of ${topup.id}`,
  }
  const returned: TopupMovement = {
    of: 'disputed',
    kind: 'reversal',
    reverses: taken.reference,
    reference: `${taken.reference}:ended`,
    reason: `dispute of ${topup.id} won`,
  }
  return { movements: released ? [taken, returned] : [taken] }
}

/** The prefixes of a top-up's references in the ledger, before its identifier. */
export const topupReferences = { paid: 'topup:', refund: 'refund:', dispute: 'dispute:' } as const

/** The top-up of a reference; undefined: it belongs to none. */
export function topupOfReference(reference: string): string | undefined {
  const prefix = Object.values(topupReferences).find((start) => reference.startsWith(start))
  const id = prefix && reference.slice(prefix.length).split(':', 1)[0]
  return id?.startsWith('top_') === true ? id : undefined
}

/** The reference of a top-up's credit in the ledger (docs/contract.md, 4.8). */
export function topupReference(topup: Pick<Topup, 'id'>): string {
  return `${topupReferences.paid}${topup.id}`
}
