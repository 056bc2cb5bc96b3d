import { formObject, formText, type FormObject } from './form-body.ts'
import type { SavedPayments } from './saved-payments.ts'
import type { StripeObject } from './stripe-fixtures.ts'
import { LostAnswer, StripeRefusal } from './stripe-refusal.ts'

interface Account {
  create(resource: string, prefix: string): StripeObject & { created: number }
  intents: ReadonlyMap<string, StripeObject>
  saved: SavedPayments
  tell(type: string, object: StripeObject): void
}

/** Invoices of one Stripe account, each with one item, paid by a saved card. */
export class Invoices {
  readonly #account: Account
  readonly #invoices = new Map<string, StripeObject>()
  /** The rate of automatic tax; undefined: Stripe cannot determine where the customers are. */
  taxPercent: number | undefined = 0

  constructor(account: Account) {
    this.#account = account
  }

  get all(): StripeObject[] {
    return [...this.#invoices.values()]
  }

  create(form: FormObject): StripeObject {
    if (formText(form, 'auto_advance') !== 'false')
      throw refusal('auto_advance', 'This test wants invoices that stand still')
    const invoice: StripeObject = {
      ...this.#account.create('invoice', 'in'),
      customer: formText(form, 'customer'),
      currency: formText(form, 'currency'),
      default_payment_method: formText(form, 'default_payment_method') ?? null,
      automatic_tax: { enabled: formText(form, 'automatic_tax.enabled') === 'true', status: null },
      metadata: formObject(form, 'metadata'),
      parent: null,
      status: 'draft',
      ...amounts(0, 0),
    }
    this.#invoices.set(invoice.id, invoice)
    return toPublic(invoice)
  }

  addItem(form: FormObject): StripeObject {
    const invoice = this.#require(formText(form, 'invoice') ?? '')
    if (invoice['status'] !== 'draft') throw refusal('invoice', 'Items can only be added to a draft')
    const taxed = (invoice['automatic_tax'] as { enabled: boolean }).enabled
    if (taxed && formText(form, 'tax_behavior') !== 'exclusive')
      throw refusal('tax_behavior', 'This test wants tax on top')
    const amount = Number(formText(form, 'amount'))
    Object.assign(invoice, amounts(Number(invoice['total']) + amount, 0))
    const customer = formText(form, 'customer')
    return { ...this.#account.create('invoiceitem', 'ii'), amount, customer, invoice: invoice.id }
  }

  finalize(id: string): StripeObject {
    const invoice = this.#require(id)
    if (invoice['status'] !== 'draft') throw refusal('id', 'This invoice is already finalized')
    const net = Number(invoice['total_excluding_tax'])
    if ((invoice['automatic_tax'] as { enabled: boolean }).enabled) {
      if (this.taxPercent === undefined)
        throw new StripeRefusal(400, 'invalid_request_error', "The customer's location isn't recognized", {
          code: 'customer_tax_location_invalid',
        })
      Object.assign(invoice, amounts(net, Math.round((net * this.taxPercent) / 100)))
    }
    const intent = this.#account.saved.newIntent({
      amount: Number(invoice['total']),
      customer: String(invoice['customer']),
      methodId: null,
      metadata: {},
    })
    intent['status'] = 'requires_payment_method'
    Object.assign(invoice, { status: 'open', number: `T-${invoice.id}`, intent_id: intent.id })
    return toPublic(invoice)
  }

  /** https://docs.stripe.com/api/invoices/pay */
  pay(id: string, form: FormObject): StripeObject {
    const invoice = this.#require(id)
    if (invoice['status'] !== 'open') throw refusal('id', `Invoice is ${String(invoice['status'])}`)
    const methodId = formText(form, 'payment_method') ?? ''
    const intent = this.#account.intents.get(String(invoice['intent_id']))!
    try {
      this.#account.saved.attempt(intent, methodId)
    } catch (error) {
      if (!(error instanceof LostAnswer)) throw error
      if (error.answer === undefined) throw error
      this.conclude(invoice.id)
      throw new LostAnswer(this.#withPayments(invoice))
    } finally {
      this.conclude(invoice.id)
    }
    if (intent['status'] === 'requires_action')
      throw new StripeRefusal(400, 'invalid_request_error', 'This payment requires additional user action', {
        code: 'invoice_payment_intent_requires_action',
      })
    return this.#withPayments(invoice)
  }

  /** The outcome of its payment, perhaps days later. */
  conclude(id: string): void {
    const invoice = this.#require(id)
    const status = this.#account.intents.get(String(invoice['intent_id']))?.['status']
    if (status === 'succeeded' && invoice['status'] === 'open') {
      const paid = { status: 'paid', amount_paid: invoice['total'], amount_remaining: 0 }
      Object.assign(invoice, paid)
      this.#account.tell('invoice.paid', toPublic(invoice))
    } else if (status === 'requires_payment_method')
      this.#account.tell('invoice.payment_failed', toPublic(invoice))
    else if (status === 'requires_action')
      this.#account.tell('invoice.payment_action_required', toPublic(invoice))
  }

  void(id: string): StripeObject {
    const invoice = this.#require(id)
    const intent = this.#account.intents.get(String(invoice['intent_id']))
    if (invoice['status'] !== 'open' || intent?.['status'] === 'processing')
      throw refusal('id', 'You can only void open invoices')
    invoice['status'] = 'void'
    if (intent !== undefined) intent['status'] = 'canceled'
    return toPublic(invoice)
  }

  delete(id: string): StripeObject {
    if (this.#require(id)['status'] !== 'draft') throw refusal('id', 'You can only delete draft invoices')
    this.#invoices.delete(id)
    return { id, object: 'invoice', deleted: true }
  }

  retrieve(id: string, expanded: readonly unknown[]): StripeObject {
    const invoice = this.#require(id)
    return expanded.length === 0 ? toPublic(invoice) : this.#withPayments(invoice)
  }

  /** Newest first. */
  ofCustomer(customer: string, sinceSeconds: number): StripeObject[] {
    return this.all
      .filter((one) => one['customer'] === customer && Number(one['created']) >= sinceSeconds)
      .toReversed()
      .map(toPublic)
  }

  paymentsOf(intentId: string): StripeObject[] {
    return this.all
      .filter((one) => one['intent_id'] === intentId)
      .map((one) => ({ id: `inpay_${one.id}`, object: 'invoice_payment', invoice: one.id }))
  }

  #withPayments(invoice: StripeObject): StripeObject {
    const intent = this.#account.intents.get(String(invoice['intent_id']))
    const payment = {
      object: 'invoice_payment',
      is_default: true,
      status: invoice['status'],
      payment: { type: 'payment_intent', payment_intent: intent },
    }
    const data = intent === undefined ? [] : [payment]
    return { ...toPublic(invoice), payments: { object: 'list', data, has_more: false } }
  }

  #require(id: string): StripeObject {
    const invoice = this.#invoices.get(id)
    if (invoice !== undefined) return invoice
    throw new StripeRefusal(404, 'invalid_request_error', `No such invoice: '${id}'`, {
      code: 'resource_missing',
      param: 'invoice',
    })
  }
}

function amounts(net: number, tax: number): Record<string, number> {
  const total = net + tax
  return { subtotal: net, total_excluding_tax: net, total, amount_due: total, amount_remaining: total }
}

/** Removes fields of the simulator, and payments, which Stripe returns only if they are expanded. */
function toPublic(invoice: StripeObject): StripeObject {
  const { intent_id: _, ...rest } = invoice
  return rest
}

function refusal(param: string, message: string): StripeRefusal {
  return new StripeRefusal(400, 'invalid_request_error', message, { param })
}
