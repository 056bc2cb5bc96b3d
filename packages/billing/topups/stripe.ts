import { GatewayError } from '@turnpike/protocol'
import Stripe from 'stripe'
import { centsOf, picoOfCents } from './cents.ts'
import type {
  CheckoutSession,
  PaymentProcessor,
  PaymentReference,
  SessionState,
} from './payment-processor.ts'
import { movedBackSince } from './stripe-moved-back.ts'
import { idOf } from './stripe-objects.ts'
import type { Topup } from './topup.ts'

/*
 * Stripe Checkout by the official SDK, which brings its own HTTP client: it signs, pages, retries with one
 * idempotency key and knows the versions of the API. It is off the request path, and loaded only where Stripe
 * is configured.
 */

/** A customer waits for the checkout page. */
const timeoutMs = 10_000
const maxNetworkRetries = 1
const retryAfterSeconds = 5

export interface StripeOptions {
  secretKey: string
  /** An origin, as in `https://api.stripe.com`. */
  apiBase: string
  /** Where customers come back to, whether they paid or not. */
  returnUrl: (topup: Topup) => string
}

/** Of whoever asks Stripe something. */
export function stripeClient({ secretKey, apiBase }: Omit<StripeOptions, 'returnUrl'>): Stripe {
  const { protocol, hostname, port } = new URL(apiBase)
  const isPlain = protocol === 'http:'
  return new Stripe(secretKey, {
    protocol: isPlain ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    timeout: timeoutMs,
    maxNetworkRetries,
    telemetry: false,
    appInfo: { name: 'Turnpike' },
  })
}

export function stripeProcessor(options: StripeOptions): PaymentProcessor {
  const stripe = stripeClient(options)
  return {
    name: 'stripe',
    async open(topup) {
      const params = newSession(topup, options.returnUrl(topup))
      try {
        return toSession(await stripe.checkout.sessions.create(params, { idempotencyKey: topup.id }))
      } catch (error) {
        throw asGatewayError(error)
      }
    },
    sessionOf: ({ checkout }, timeout) =>
      found(async () => {
        if (checkout === null) return undefined
        const expand = ['payment_intent']
        const soon = timeout === undefined ? {} : { timeout, maxNetworkRetries: 0 }
        return toSession(await stripe.checkout.sessions.retrieve(checkout.sessionId, { expand }, soon))
      }),
    sessionOfPayment: (payment) =>
      found(async () => {
        const paymentId = await paymentIdOf(stripe, payment)
        if (paymentId === null) return undefined
        const { data } = await stripe.checkout.sessions.list({ payment_intent: paymentId, limit: 1 })
        return data[0] === undefined ? undefined : toSession(data[0])
      }),
    async refundedOf(paymentId) {
      const expand = ['latest_charge']
      const intent = await found(() => stripe.paymentIntents.retrieve(paymentId, { expand }))
      const charge = intent?.latest_charge
      return picoOfCents(typeof charge === 'object' ? (charge?.amount_refunded ?? 0) : 0)
    },
    async movedBackSince(sinceMs) {
      try {
        return await movedBackSince(stripe, sinceMs)
      } catch (error) {
        throw asGatewayError(error)
      }
    },
  }
}

/** The same top-up gives the same parameters: Stripe refuses an idempotency key with others. */
function newSession(topup: Topup, returnUrl: string): Stripe.Checkout.SessionCreateParams {
  const metadata = {
    topup_id: topup.id,
    account_id: topup.accountId,
    ...(topup.keyId === null ? {} : { key_id: topup.keyId }),
  }
  return {
    mode: 'payment',
    submit_type: 'pay',
    client_reference_id: topup.id,
    metadata,
    // Refunds and disputes come by the payment: its metadata says whose it was.
    payment_intent_data: { metadata, description: `API credit ${topup.id}` },
    // What is paid, refunded and disputed is then always in USD.
    adaptive_pricing: { enabled: false },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: centsOf(topup.amountPico),
          product_data: { name: 'API credit' },
        },
      },
    ],
    success_url: returnUrl,
    cancel_url: returnUrl,
  }
}

export function toSession(session: Stripe.Checkout.Session, state = stateOf(session)): CheckoutSession {
  return {
    id: session.id,
    topupId: session.metadata?.['topup_id'] ?? null,
    state,
    url: session.url,
    expiresAtMs: session.expires_at * 1000,
    amountPico: picoOfCents(session.amount_total ?? 0),
    currency: session.currency ?? '',
    paymentId: idOf(session.payment_intent),
  }
}

function stateOf({
  status,
  payment_status: payment,
  payment_intent: intent,
}: Stripe.Checkout.Session): SessionState {
  if (payment === 'paid') return 'paid'
  if (status === 'expired') return 'expired'
  if (status !== 'complete') return 'open'
  if (payment === 'no_payment_required') return 'failed'
  // A bank debit that did not come leaves the session as it was; only the payment tells.
  const isOver = typeof intent === 'object' && intent !== null && endedStatuses.has(intent.status)
  return isOver ? 'failed' : 'processing'
}

const endedStatuses = new Set<string>(['requires_payment_method', 'canceled'])

async function paymentIdOf(
  stripe: Stripe,
  { paymentId, chargeId }: PaymentReference,
): Promise<string | null> {
  if (paymentId !== null || chargeId === null) return paymentId
  return idOf((await stripe.charges.retrieve(chargeId)).payment_intent)
}

/** Undefined where Stripe has no such thing. */
async function found<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof StripeError && error.code === 'resource_missing') return undefined
    throw asGatewayError(error)
  }
}

const { StripeError, StripeConnectionError, StripeAPIError, StripeRateLimitError, StripeIdempotencyError } =
  Stripe.errors

const passing = [StripeConnectionError, StripeAPIError, StripeRateLimitError, StripeIdempotencyError]

/** What Stripe refuses is between the operator and Stripe: callers are told only whether waiting helps. */
function asGatewayError(error: unknown): unknown {
  if (!(error instanceof StripeError)) return error
  const detail = `stripe: ${error.type} ${error.code ?? ''} ${error.message}`
  if (passing.some((kind) => error instanceof kind)) {
    const message = 'The payment processor cannot be reached at the moment; please retry.'
    return new GatewayError('service_unavailable', message, { cause: error, detail, retryAfterSeconds })
  }
  const message = 'The payment processor refused the request; the operator has to look at it.'
  return new GatewayError('upstream_error', message, { cause: error, detail })
}
