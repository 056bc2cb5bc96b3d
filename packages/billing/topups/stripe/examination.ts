import type { StripeTax } from './tax.ts'
import { stripeClient } from './stripe.ts'

/** Events without which payments are noticed late. Refunds and disputes are also looked for by the sweep. */
const neededEvents: readonly string[] = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'charge.refunded',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
]
/** Needed if automatic top-ups are charged with invoices. */
const invoiceEvents: readonly string[] = [
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
]

export interface StripeExamination {
  /** False: no real money moves with this key. */
  isLive: boolean
  webhook: { state: 'ok' | 'warning' | 'not checked'; says: string }
}

/**
 * Checks that Stripe accepts the key and would report payments to the gateway. Only reads.
 * @param address the URL of our webhook as configured at Stripe
 * @throws {Error} if the key is refused, or Stripe cannot be reached
 */
export async function examineStripe(
  options: { secretKey: string; apiBase: string; tax?: StripeTax },
  address: string,
): Promise<StripeExamination> {
  const stripe = stripeClient(options)
  // What the gateway itself reads from Stripe, because a restricted key must allow it.
  await stripe.checkout.sessions.list({ limit: 1 })
  const isLive = /^[rs]k_live_/.test(options.secretKey)
  try {
    const { data } = await stripe.webhookEndpoints.list({ limit: 100 })
    const { invoices, automaticTax } = options.tax ?? { invoices: false, automaticTax: false }
    const needed = invoices || automaticTax ? [...neededEvents, ...invoiceEvents] : neededEvents
    return { isLive, webhook: judge(data, address, needed) }
  } catch (error) {
    const says =
      `this key may not list webhook endpoints: check in Stripe's dashboard that there ` +
      `is one for ${address}`
    if (isRefusal(error)) return { isLive, webhook: { state: 'not checked', says } }
    throw error
  }
}

function judge(
  endpoints: readonly { url: string; status: string; enabled_events: string[] }[],
  address: string,
  needed: readonly string[],
): StripeExamination['webhook'] {
  const late = 'until then payments are found by polling, minutes late'
  const own = endpoints.filter(({ url }) => url === address)
  if (own.length === 0)
    return {
      state: 'warning',
      says: `Stripe has no webhook endpoint for ${address}: add it in Stripe's dashboard; ${late}`,
    }
  const enabled = own.filter(({ status }) => status === 'enabled')
  if (enabled.length === 0)
    return {
      state: 'warning',
      says: `the webhook endpoint ${address} is disabled at Stripe: enable it; ${late}`,
    }
  const sent = new Set(enabled.flatMap((endpoint) => endpoint.enabled_events))
  const missing = sent.has('*') ? [] : needed.filter((event) => !sent.has(event))
  if (missing.length === 0) return { state: 'ok', says: `Stripe notifies ${address} of every payment` }
  return {
    state: 'warning',
    says: `Stripe does not send ${missing.join(', ')}: add these events in its dashboard`,
  }
}

function isRefusal(error: unknown): boolean {
  const { statusCode } = error as { statusCode?: number }
  return statusCode === 401 || statusCode === 403
}
