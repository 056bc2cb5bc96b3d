import type Stripe from 'stripe'
import { authenticationRequired } from '../../auto-topups/auto-topup.ts'
import type { PaymentMethod } from '../../auto-topups/payment-method.ts'
import { centsOf, picoOfCents } from '../cents.ts'
import type { Charge, ChargeRefused } from '../payment-processor.ts'
import { asGatewayError, findOrUndefined, isDeclined, isRefused, unlessRefused } from './errors.ts'
import { idOf } from './objects.ts'
import type { Topup } from '../topup.ts'

/*
 * Charges to saved payment methods with a Stripe invoice: the way to charge tax without the customer's
 * presence, by the address and tax numbers that they gave at the checkout. An invoice is paid once, however
 * often it is requested. Each step has its own idempotency key, so that all of them may be repeated.
 * https://docs.stripe.com/tax/invoicing, https://docs.stripe.com/invoicing/integration
 */

/**
 * Distinguishes our invoices from those of checkouts. Their payments do not have this metadata; the invoice
 * identifies them, because it has the tax.
 */
const invoiceOrigin = 'auto_invoice'
/** `payments` lists the attempts; each has its payment intent. */
const expand = ['payments.data.payment.payment_intent']
/** Each saved payment method has its own customer, so a customer has few invoices. */
const listLimit = 100
const maxListed = 1_000

export interface Invoicing {
  /** Tax on top of the amount, by the customer's address. */
  automaticTax: boolean
}

/** All parameters follow from the two rows, so an idempotency key always comes with the same ones. */
export async function chargeByInvoice(
  stripe: Stripe,
  topup: Topup,
  { customerId, methodId }: PaymentMethod,
  { automaticTax }: Invoicing,
): Promise<Charge | ChargeRefused> {
  const key = (step: string) => ({ idempotencyKey: `${topup.id}:${step}` })
  const description = `API credit ${topup.id}`
  let invoiceId: string | undefined
  try {
    const { id } = await stripe.invoices.create(
      {
        customer: customerId,
        currency: 'usd',
        collection_method: 'charge_automatically',
        default_payment_method: methodId,
        // Only we try to collect it, and Stripe reminds nobody.
        auto_advance: false,
        pending_invoice_items_behavior: 'exclude',
        ...(automaticTax && { automatic_tax: { enabled: true } }),
        metadata: { topup_id: topup.id, account_id: topup.accountId, origin: invoiceOrigin },
      },
      key('invoice'),
    )
    invoiceId = id
    await stripe.invoiceItems.create(
      {
        customer: customerId,
        invoice: id,
        currency: 'usd',
        amount: centsOf(topup.amountPico),
        description,
        ...(automaticTax && { tax_behavior: 'exclusive' as const }),
      },
      key('item'),
    )
    await stripe.invoices.finalizeInvoice(id, { auto_advance: false }, key('finalize'))
    const paying = { payment_method: methodId, off_session: true, expand }
    const paid = toCharge(await stripe.invoices.pay(id, paying, key('pay')))
    return paid ?? (await endUnpaid(stripe, id, 'not_paid'))
  } catch (error) {
    if (!isDeclined(error) && !isRefused(error)) throw asGatewayError(error)
    const reason = (isDeclined(error) ? error.decline_code : undefined) ?? error.code ?? error.type
    return invoiceId === undefined ? { state: 'refused', reason } : endUnpaid(stripe, invoiceId, reason)
  }
}

/** The result of the attempt to pay an invoice. If there was no attempt, ends the invoice. */
async function endUnpaid(stripe: Stripe, invoiceId: string, reason: string): Promise<Charge | ChargeRefused> {
  const charge = await settleInvoice(stripe, invoiceId)
  if (charge !== undefined) return charge
  await endInvoice(stripe, invoiceId)
  return { state: 'refused', reason }
}

/**
 * The charge of a top-up's invoice; undefined if it has none, or nobody tried to pay it. Uses a list, because
 * Stripe's search finds an invoice only after some time.
 */
export async function findInvoiceCharge(
  stripe: Stripe,
  topup: Topup,
  { customerId }: PaymentMethod,
  sinceSeconds: number,
): Promise<Charge | undefined> {
  const id = await findInvoice(stripe, topup, customerId, sinceSeconds)
  return id === undefined ? undefined : settleInvoice(stripe, id)
}

/** Ends a top-up's unpaid invoice, if it has one. */
export async function abandonInvoice(
  stripe: Stripe,
  topup: Topup,
  { customerId }: PaymentMethod,
  sinceSeconds: number,
): Promise<void> {
  const id = await findInvoice(stripe, topup, customerId, sinceSeconds)
  if (id !== undefined) await endInvoice(stripe, id)
}

async function findInvoice(
  stripe: Stripe,
  topup: Topup,
  customer: string,
  sinceSeconds: number,
): Promise<string | undefined> {
  let listed = 0
  const created = { gte: sinceSeconds }
  for await (const invoice of stripe.invoices.list({ customer, created, limit: listLimit })) {
    if (autoTopupOf(invoice) === topup.id) return invoice.id
    if (++listed >= maxListed) throw new RangeError(`${customer} has too many invoices to search`)
  }
  return undefined
}

/** The charge of the invoice that a payment belongs to; undefined if it is not one of ours. */
export async function invoiceChargeOf(stripe: Stripe, paymentIntent: string): Promise<Charge | undefined> {
  const { data } = await stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: paymentIntent },
    limit: 1,
  })
  const id = idOf(data[0]?.invoice)
  const charge = id === null ? undefined : await settleInvoice(stripe, id)
  return charge?.topupId === null ? undefined : charge
}

/** The current charge of an invoice. One that was declined is ended, so that nobody pays it later. */
async function settleInvoice(stripe: Stripe, id: string): Promise<Charge | undefined> {
  const charge = await invoiceCharge(stripe, id)
  return charge?.state === 'declined' ? endInvoice(stripe, id) : charge
}

/** Makes sure that an unpaid invoice is never paid. Returns its final state. */
export async function endInvoice(stripe: Stripe, id: string): Promise<Charge | undefined> {
  // An invoice that was paid meanwhile, or has ended, stays as it is. Only a draft can be deleted.
  const voided = await unlessRefused(() => stripe.invoices.voidInvoice(id))
  if (voided === undefined) await unlessRefused(() => stripe.invoices.del(id))
  return invoiceCharge(stripe, id)
}

async function invoiceCharge(stripe: Stripe, id: string): Promise<Charge | undefined> {
  const invoice = await findOrUndefined(() => stripe.invoices.retrieve(id, { expand }))
  return invoice === undefined ? undefined : toCharge(invoice)
}

/** The automatic top-up of an invoice; null: none. */
export function autoTopupOf({ metadata }: Pick<Stripe.Invoice, 'metadata'>): string | null {
  return metadata?.['origin'] === invoiceOrigin ? (metadata['topup_id'] ?? null) : null
}

/** Undefined if nobody tried to pay it yet. */
function toCharge(invoice: Stripe.Invoice): Charge | undefined {
  const intent = intentOf(invoice)
  const state = stateOf(invoice, intent)
  if (state === undefined) return undefined
  const { total, total_excluding_tax: net } = invoice
  return {
    paymentId: intent?.id ?? invoice.id,
    invoiceId: invoice.id,
    topupId: autoTopupOf(invoice),
    state,
    amountPico: picoOfCents(net ?? total),
    taxPico: picoOfCents(total - (net ?? total)),
    currency: invoice.currency,
    reason: intent?.last_payment_error?.decline_code ?? intent?.last_payment_error?.code ?? null,
  }
}

function stateOf(
  { status }: Stripe.Invoice,
  intent: Stripe.PaymentIntent | undefined,
): Charge['state'] | undefined {
  const failure = intent?.last_payment_error ?? null
  const wantsCustomer = [failure?.code, failure?.decline_code].includes(authenticationRequired)
  const failed = wantsCustomer ? 'needs-action' : 'declined'
  switch (status) {
    case 'paid':
      return 'succeeded'
    case 'void':
    case 'uncollectible':
      return failure === null ? 'canceled' : failed
    case 'draft':
      return undefined
  }
  switch (intent?.status) {
    case 'succeeded':
      return 'succeeded'
    case 'processing':
      return 'processing'
    case 'requires_action':
      return 'needs-action'
    default:
      return failure === null ? undefined : failed
  }
}

/** The payment that was made, or the one that is to be made. */
function intentOf({ payments }: Stripe.Invoice): Stripe.PaymentIntent | undefined {
  const tried = payments?.data ?? []
  const one = tried.find(({ status }) => status === 'paid') ?? tried.find(({ is_default: first }) => first)
  const intent = (one ?? tried[0])?.payment.payment_intent
  return typeof intent === 'object' ? intent : undefined
}
