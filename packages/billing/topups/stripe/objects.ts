import type Stripe from 'stripe'
import { picoOfCents } from '../cents.ts'
import type { PaymentEvent, PaymentReference } from '../payment-processor.ts'

/** https://docs.stripe.com/disputes/how-disputes-work */
const releasedStatuses = new Set<string>(['won', 'warning_closed', 'prevented'])

/** Stripe sends an identifier, or the whole object if that was requested. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === 'object' && reference !== null ? reference.id : (reference ?? null)
}

export function disputeEventOf(dispute: Stripe.Dispute): PaymentEvent {
  const { id, amount, currency, status } = dispute
  return {
    about: 'dispute',
    payment: referenceOf(dispute),
    currency,
    dispute: { id, amountPico: picoOfCents(amount), released: releasedStatuses.has(status) },
  }
}

export function referenceOf(object: Pick<Stripe.Refund, 'payment_intent' | 'charge'>): PaymentReference {
  return { paymentId: idOf(object.payment_intent), chargeId: idOf(object.charge), topupId: null }
}
