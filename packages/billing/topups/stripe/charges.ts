import type Stripe from 'stripe'
import { authenticationRequired } from '../../auto-topups/auto-topup.ts'
import type { PaymentMethod, SavedMethod } from '../../auto-topups/payment-method.ts'
import { centsOf, picoOfCents } from '../cents.ts'
import type { Charge, ChargeRefused, PaymentProcessor } from '../payment-processor.ts'
import {
  asGatewayError,
  findOrUndefined,
  isDeclined,
  isRefused,
  unlessForbidden,
  unlessRefused,
} from './errors.ts'
import {
  abandonInvoice,
  chargeByInvoice,
  endInvoice,
  findInvoiceCharge,
  invoiceChargeOf,
} from './invoices.ts'
import { idOf } from './objects.ts'
import type { StripeTax } from './tax.ts'
import type { Topup } from '../topup.ts'

/*
 * Charges to payment methods that were saved at a checkout, without the customer's presence.
 * https://docs.stripe.com/payments/save-and-reuse
 */

type Charging = Pick<
  PaymentProcessor,
  'savedBy' | 'charge' | 'findCharge' | 'chargeOf' | 'cancelCharge' | 'abandonCharge' | 'forget'
>

/** Distinguishes payments of automatic top-ups from those of checkouts. */
const autoOrigin = 'auto'
/** Our clock is off by less than this. */
const clockMarginSeconds = 24 * 60 * 60
/** Each saved payment method has its own customer, so a customer has few payments. */
const listLimit = 100
const maxListed = 1_000

/**
 * Charges with an invoice if the operator wants invoices or tax, else with a payment only. Searches look for
 * both, because the configuration may have been different when a charge began.
 */
export function stripeCharges(stripe: Stripe, { invoices, automaticTax }: StripeTax): Charging {
  const byInvoice = invoices || automaticTax
  // A key that may not read invoices has created none.
  const ofInvoice = <Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> =>
    findOrUndefined(() => (byInvoice ? ask() : unlessForbidden(ask)))
  const chargeOf: Charging['chargeOf'] = async (paymentId) => {
    const intent = await findOrUndefined(() => stripe.paymentIntents.retrieve(paymentId))
    if (intent === undefined || intent.metadata['origin'] === autoOrigin) return intent && toCharge(intent)
    return ofInvoice(() => invoiceChargeOf(stripe, paymentId))
  }
  const abandonCharge: Charging['abandonCharge'] = async (topup, method) =>
    ofInvoice(() => abandonInvoice(stripe, topup, method, sinceOf(topup)))
  return {
    chargeOf,
    abandonCharge,
    async charge(topup, method) {
      if (byInvoice) return chargeByInvoice(stripe, topup, method, { automaticTax })
      return charge(stripe, topup, method)
    },
    async findCharge(topup, method) {
      const charge =
        (await findOrUndefined(() => findCharge(stripe, topup, method))) ??
        (await ofInvoice(() => findInvoiceCharge(stripe, topup, method, sinceOf(topup))))
      if (charge === undefined && !byInvoice) await abandonCharge(topup, method)
      return charge
    },
    async savedBy({ paymentId }) {
      if (paymentId === null) return undefined
      const expand = ['payment_method']
      const intent = await findOrUndefined(() => stripe.paymentIntents.retrieve(paymentId, { expand }))
      return intent === undefined ? undefined : savedMethodOf(intent)
    },
    async cancelCharge(before) {
      if (before.invoiceId !== null) return (await endInvoice(stripe, before.invoiceId)) ?? before
      const intent = await unlessRefused(() => stripe.paymentIntents.cancel(before.paymentId))
      // It has ended meanwhile, paid or not.
      if (intent === undefined) return (await chargeOf(before.paymentId)) ?? before
      return toCharge(intent)
    },
    async forget({ methodId }) {
      await unlessRefused(() => stripe.paymentMethods.detach(methodId))
    },
  }
}

/** All parameters follow from the two rows, so an idempotency key always comes with the same ones. */
async function charge(
  stripe: Stripe,
  topup: Topup,
  { customerId, methodId }: PaymentMethod,
): Promise<Charge | ChargeRefused> {
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount: centsOf(topup.amountPico),
        currency: 'usd',
        customer: customerId,
        payment_method: methodId,
        off_session: true,
        confirm: true,
        description: `API credit ${topup.id}`,
        metadata: { topup_id: topup.id, account_id: topup.accountId, origin: autoOrigin },
      },
      { idempotencyKey: topup.id },
    )
    return toCharge(intent)
  } catch (error) {
    if (isDeclined(error)) return toDeclinedCharge(error)
    if (isRefused(error)) return { state: 'refused', reason: error.code ?? error.type }
    throw asGatewayError(error)
  }
}

function toDeclinedCharge(error: Stripe.errors.StripeCardError): Charge | ChargeRefused {
  const { payment_intent: intent } = error
  if (intent === undefined)
    return { state: 'refused', reason: error.decline_code ?? error.code ?? error.type }
  return toCharge(intent)
}

function sinceOf({ createdAtMs }: Topup): number {
  return Math.floor(createdAtMs / 1000) - clockMarginSeconds
}

/** Uses a list, because Stripe's search finds a payment only after some time. */
async function findCharge(
  stripe: Stripe,
  topup: Topup,
  { customerId }: PaymentMethod,
): Promise<Charge | undefined> {
  const created = { gte: sinceOf(topup) }
  let listed = 0
  for await (const intent of stripe.paymentIntents.list({
    customer: customerId,
    created,
    limit: listLimit,
  })) {
    if (intent.metadata['topup_id'] === topup.id && intent.metadata['origin'] === autoOrigin)
      return toCharge(intent)
    if (++listed >= maxListed) throw new RangeError(`${customerId} has too many payments to search`)
  }
  return undefined
}

/** Undefined if the payment came from a checkout, whose session reports it. */
export function autoChargeOf(intent: Stripe.PaymentIntent): Charge | undefined {
  return intent.metadata['origin'] === autoOrigin ? toCharge(intent) : undefined
}

function toCharge(intent: Stripe.PaymentIntent): Charge {
  const failure = intent.last_payment_error ?? null
  const needsAction =
    failure?.code === authenticationRequired || failure?.decline_code === authenticationRequired
  return {
    paymentId: intent.id,
    invoiceId: null,
    topupId: intent.metadata['topup_id'] ?? null,
    state: stateOf(intent, needsAction),
    amountPico: picoOfCents(intent.amount_received || intent.amount),
    taxPico: 0n,
    currency: intent.currency,
    reason: failure?.decline_code ?? failure?.code ?? null,
  }
}

function stateOf({ status }: Stripe.PaymentIntent, needsAction: boolean): Charge['state'] {
  switch (status) {
    case 'succeeded':
      return 'succeeded'
    case 'requires_action':
      return 'needs-action'
    case 'requires_payment_method':
      return needsAction ? 'needs-action' : 'declined'
    case 'canceled':
      // It was cancelled so that its customer pays at a checkout.
      return needsAction ? 'needs-action' : 'canceled'
    default:
      return 'processing'
  }
}

function savedMethodOf(intent: Stripe.PaymentIntent): SavedMethod | undefined {
  const { payment_method: method } = intent
  const customerId = idOf(intent.customer)
  if (customerId === null || typeof method !== 'object' || method === null) return undefined
  const { id: methodId, type: kind, card, us_bank_account: bank, sepa_debit: debit } = method
  return {
    methodId,
    customerId,
    kind,
    brand: card?.brand ?? bank?.bank_name ?? null,
    last4: card?.last4 ?? bank?.last4 ?? debit?.last4 ?? null,
    expiresMonth: card === undefined ? null : `${card.exp_year}-${String(card.exp_month).padStart(2, '0')}`,
  }
}
