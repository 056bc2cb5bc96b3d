import { readFileSync } from 'node:fs'
import { besideCheckout } from '../beside-checkout.ts'

/** An object of Stripe's API. */
export type StripeObject = Record<string, unknown> & { id: string }

/** Stripe's own example of each of its objects. */
export type StripeFixtures = Record<string, StripeObject>

/** Replaces Stripe's examples if they are missing: only the fields that the gateway reads. */
const ownObjects: StripeFixtures = Object.fromEntries(
  Object.entries({
    'checkout.session': { mode: 'payment', currency: null, customer: null, payment_intent: null, url: null },
    payment_intent: {
      currency: 'usd',
      status: 'requires_payment_method',
      customer: null,
      latest_charge: null,
      last_payment_error: null,
      setup_future_usage: null,
    },
    payment_method: { type: 'card', card: { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2030 } },
    customer: { email: null },
    charge: {
      currency: 'usd',
      paid: true,
      refunded: false,
      amount_refunded: 0,
      payment_intent: null,
      payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
    },
    refund: { currency: 'usd', status: 'succeeded', payment_intent: 'pi_own', charge: 'ch_own' },
    dispute: {
      amount: 1_000,
      currency: 'usd',
      status: 'warning_needs_response',
      payment_intent: 'pi_own',
      charge: 'ch_own',
    },
    invoice: {
      auto_advance: false,
      customer: null,
      lines: { object: 'list', data: [], has_more: false },
      status: 'draft',
    },
    invoiceitem: { customer: null, invoice: null },
    event: { type: 'plan.created', data: { object: { id: 'plan_own', object: 'plan' } } },
  }).map(([object, members]) => [object, { ...common(object), ...members }]),
)

function common(object: string): StripeObject {
  return { id: `${object}_own`, object, created: 1_234_567_890, livemode: false, metadata: {} }
}

export function stripeFixtures(): StripeFixtures {
  const file = besideCheckout('stripeObjects')
  if (file === undefined) return ownObjects
  return (JSON.parse(readFileSync(file, 'utf8')) as { resources: StripeFixtures }).resources
}
