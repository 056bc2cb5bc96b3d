import Stripe from 'stripe'
import { centsOf, picoOfCents } from '../cents.ts'
import type {
  CheckoutSession,
  PaymentProcessor,
  PaymentReference,
  SessionState,
} from '../payment-processor.ts'
import { stripeCharges } from './charges.ts'
import { asGatewayError, findOrUndefined, unlessRefused } from './errors.ts'
import { listReversals } from './reversals.ts'
import { idOf } from './objects.ts'
import type { StripeTax } from './tax.ts'
import type { Topup } from '../topup.ts'

/*
 * Stripe Checkout with the official SDK, which brings its own HTTP client: it signs, pages, retries with one
 * idempotency key and knows the API's versions. It is off the request path, and loaded only if configured.
 */

/** Short, because a customer waits for the checkout page. */
const timeoutMs = 10_000
const maxNetworkRetries = 1

export interface StripeOptions {
  secretKey: string
  /** An origin, as in `https://api.stripe.com`. */
  apiBase: string
  /** Where customers return to, whether they paid or not. */
  returnUrl: (topup: Topup) => string
  /** Default: none of it. */
  tax?: StripeTax
}

const noTax: StripeTax = { invoices: false, automaticTax: false, taxIds: false }

/** The SDK's client, for everything that calls Stripe. */
export function stripeClient({ secretKey, apiBase }: Pick<StripeOptions, 'secretKey' | 'apiBase'>): Stripe {
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
  const sessionOf: PaymentProcessor['sessionOf'] = ({ checkout }, timeout) =>
    findOrUndefined(async () => {
      if (checkout === null) return undefined
      const expand = ['payment_intent']
      const soon = timeout === undefined ? {} : { timeout, maxNetworkRetries: 0 }
      return toSession(await stripe.checkout.sessions.retrieve(checkout.sessionId, { expand }, soon))
    })
  return {
    name: 'stripe',
    ...stripeCharges(stripe, options.tax ?? noTax),
    async open(topup) {
      const params = newSession(topup, options.returnUrl(topup), options.tax ?? noTax)
      try {
        return toSession(await stripe.checkout.sessions.create(params, { idempotencyKey: topup.id }))
      } catch (error) {
        throw asGatewayError(error)
      }
    },
    sessionOf,
    async close(topup) {
      const { checkout } = topup
      if (checkout === null) return undefined
      const closed = await unlessRefused(() => stripe.checkout.sessions.expire(checkout.sessionId))
      // It is no longer open.
      return closed === undefined ? sessionOf(topup) : toSession(closed)
    },
    sessionOfPayment: (payment) =>
      findOrUndefined(async () => {
        const paymentId = await paymentIdOf(stripe, payment)
        if (paymentId === null) return undefined
        const { data } = await stripe.checkout.sessions.list({ payment_intent: paymentId, limit: 1 })
        return data[0] === undefined ? undefined : toSession(data[0])
      }),
    async findRefunded(paymentId) {
      const expand = ['latest_charge']
      const intent = await findOrUndefined(() => stripe.paymentIntents.retrieve(paymentId, { expand }))
      const charge = intent?.latest_charge
      return picoOfCents(typeof charge === 'object' ? (charge?.amount_refunded ?? 0) : 0)
    },
    async listReversals(sinceMs) {
      try {
        return await listReversals(stripe, sinceMs)
      } catch (error) {
        throw asGatewayError(error)
      }
    },
  }
}

/** The same top-up gives the same parameters: Stripe refuses an idempotency key with different ones. */
function newSession(topup: Topup, returnUrl: string, tax: StripeTax): Stripe.Checkout.SessionCreateParams {
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
    // Refunds and disputes refer to the payment: its metadata names the account.
    payment_intent_data: {
      metadata,
      description: `API credit ${topup.id}`,
      // Makes Stripe's page state that later payments are agreed to.
      ...(topup.savesMethod && { setup_future_usage: 'off_session' as const }),
    },
    ...((topup.savesMethod || tax.taxIds) && { customer_creation: 'always' as const }),
    ...(tax.invoices && { invoice_creation: { enabled: true, invoice_data: { metadata } } }),
    ...(tax.automaticTax && { automatic_tax: { enabled: true } }),
    ...(tax.taxIds && { tax_id_collection: { enabled: true } }),
    // So that everything paid, refunded and disputed is in USD.
    adaptive_pricing: { enabled: false },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: centsOf(topup.amountPico),
          product_data: { name: 'API credit' },
          // The credit is the requested amount; tax comes on top.
          ...(tax.automaticTax && { tax_behavior: 'exclusive' as const }),
        },
      },
    ],
    success_url: returnUrl,
    cancel_url: returnUrl,
  }
}

export function toSession(session: Stripe.Checkout.Session, state = stateOf(session)): CheckoutSession {
  const taxCents = session.total_details?.amount_tax ?? 0
  return {
    id: session.id,
    topupId: session.metadata?.['topup_id'] ?? null,
    state,
    url: session.url,
    expiresAtMs: session.expires_at * 1000,
    amountPico: picoOfCents((session.amount_total ?? 0) - taxCents),
    taxPico: picoOfCents(taxCents),
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
  // A failed bank debit does not change the session; only the payment shows it.
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
