import { GatewayError } from '@turnpike/protocol'
import Stripe from 'stripe'
import type { PaymentEvent } from '../payment-processor.ts'
import { picoOfCents } from '../cents.ts'
import { autoChargeOf } from './charges.ts'
import { autoTopupOf } from './invoices.ts'
import { disputeEventOf, idOf, referenceOf } from './objects.ts'
import { toSession } from './stripe.ts'

/** An older signed event may be a replay (Stripe's own default). */
const toleranceSeconds = 300

/**
 * Reads an event that Stripe sent to the webhook.
 * @param body the exact bytes received, because they are what is signed
 * @throws {GatewayError} 400 if the signature is not Stripe's, or older than 300 seconds
 */
export function readStripeEvent(
  body: Buffer,
  signature: string | undefined,
  webhookSecret: string,
): PaymentEvent {
  return paymentEventOf(verifyEvent(body, signature, webhookSecret))
}

function verifyEvent(body: Buffer, signature: string | undefined, webhookSecret: string): Stripe.Event {
  try {
    return Stripe.webhooks.constructEvent(body, signature ?? '', webhookSecret, toleranceSeconds)
  } catch (cause) {
    const isForged = cause instanceof Stripe.errors.StripeSignatureVerificationError
    const message = isForged
      ? 'The Stripe signature is invalid, or older than 300 seconds.'
      : 'The body is not a Stripe event.'
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new GatewayError('invalid_request_error', message, { cause, detail })
  }
}

function paymentEventOf(event: Stripe.Event): PaymentEvent {
  const asOfMs = event.created * 1000
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired':
      return { about: 'session', session: toSession(event.data.object) }
    case 'checkout.session.async_payment_failed':
      return { about: 'session', session: toSession(event.data.object, 'failed') }
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed': {
      const charge = autoChargeOf(event.data.object)
      return charge === undefined ? { about: 'nothing', type: event.type } : { about: 'charge', charge }
    }
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required': {
      // The event does not contain the payment, and so not the result.
      const topupId = autoTopupOf(event.data.object)
      return topupId === null ? { about: 'nothing', type: event.type } : { about: 'attempt', topupId }
    }
    case 'charge.refunded': {
      const { id, payment_intent: intent, metadata, currency, amount_refunded: refunded } = event.data.object
      const payment = { paymentId: idOf(intent), chargeId: id, topupId: metadata?.['topup_id'] ?? null }
      return { about: 'refund', payment, currency, refundedPico: picoOfCents(refunded), asOfMs }
    }
    case 'refund.failed':
    case 'refund.updated':
    case 'charge.refund.updated':
      return refundEventOf(event.type, event.data.object, asOfMs)
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'charge.dispute.closed':
      return disputeEventOf(event.data.object)
    default:
      return { about: 'nothing', type: event.type }
  }
}

/** The charge reports the refunded amount. The only news from a refund itself is its failure. */
function refundEventOf(type: string, refund: Stripe.Refund, asOfMs: number): PaymentEvent {
  if (refund.status !== 'failed' && refund.status !== 'canceled') return { about: 'nothing', type }
  return { about: 'failed-refund', payment: referenceOf(refund), asOfMs }
}
