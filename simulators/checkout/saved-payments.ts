import { formObject, formText, type FormObject } from './form-body.ts'
import type { StripeObject } from './stripe-fixtures.ts'
import { LostAnswer, StripeRefusal } from './stripe-refusal.ts'

/**
 * What happens to a charge to a saved card.
 * - `lost-before`, `lost-after`: the connection breaks before or after the charge is made.
 * - `500-saved`: Stripe fails, and repeats this response for the same idempotency key.
 * - `500-charged`: the same, but the charge was made.
 */
export type NextCharge =
  | 'succeeded'
  | 'declined'
  | 'authentication_required'
  | 'requires_action'
  | 'processing'
  | 'lost-before'
  | 'lost-after'
  | '500-saved'
  | '500-charged'

interface Account {
  create(resource: string, prefix: string): StripeObject & { created: number }
  intents: Map<string, StripeObject>
  /** The money has arrived. */
  succeed(intent: StripeObject): void
  tell(type: string, object: StripeObject): void
  isOfInvoice(intentId: string): boolean
}

/** Customers of one Stripe account who saved a card, and charges to it in their absence. */
export class SavedPayments {
  readonly #account: Account
  readonly #methods = new Map<string, StripeObject>()
  readonly #behaviours = new Map<string, NextCharge>()
  readonly #next: NextCharge[] = []

  constructor(account: Account) {
    this.#account = account
  }

  /** Outcomes of the next charges, whatever the card would do. */
  nextCharges(...charges: NextCharge[]): void {
    this.#next.push(...charges)
  }

  /** All successful charges, with or without a checkout session. */
  get succeeded(): StripeObject[] {
    return [...this.#account.intents.values()].filter(({ status }) => status === 'succeeded')
  }

  /** A checkout saves the card of a new customer. Returns what its payment reports about both. */
  save(behaviour: NextCharge = 'succeeded'): { customer: string; payment_method: string } {
    const { id: customer } = this.#account.create('customer', 'cus')
    const method = {
      ...this.#account.create('payment_method', 'pm'),
      customer,
      type: 'card',
      card: { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2029 },
    }
    this.#methods.set(method.id, method)
    this.#behaviours.set(method.id, behaviour)
    return { customer, payment_method: method.id }
  }

  withMethod(intent: StripeObject, expanded: readonly unknown[]): StripeObject {
    const id = intent['payment_method']
    if (typeof id !== 'string' || !expanded.includes('payment_method')) return intent
    return { ...intent, payment_method: this.#methods.get(id) }
  }

  /** Newest first. */
  intentsOf(customer: string, sinceSeconds: number): StripeObject[] {
    return [...this.#account.intents.values()]
      .filter((one) => one['customer'] === customer && Number(one['created']) >= sinceSeconds)
      .toReversed()
  }

  charge(form: FormObject): StripeObject {
    const methodId = formText(form, 'payment_method') ?? ''
    const customer = formText(form, 'customer') ?? ''
    this.#requireMethod(methodId, customer)
    for (const [name, wanted] of Object.entries({ off_session: 'true', confirm: 'true', currency: 'usd' }))
      if (formText(form, name) !== wanted)
        throw new StripeRefusal(400, 'invalid_request_error', `Invalid ${name} here`, { param: name })
    const behaviour = this.#nextOf(methodId)
    const amount = Number(formText(form, 'amount'))
    const metadata = formObject(form, 'metadata')
    return this.#outcome(this.newIntent({ amount, customer, methodId, metadata }), behaviour)
  }

  /** Tries to pay a payment intent that was created before. */
  attempt(intent: StripeObject, methodId: string): void {
    this.#requireMethod(methodId, String(intent['customer']))
    const behaviour = this.#nextOf(methodId)
    Object.assign(intent, { payment_method: methodId, status: 'processing' })
    this.#outcome(intent, behaviour)
  }

  newIntent(of: {
    amount: number
    customer: string
    methodId: string | null
    metadata: FormObject
  }): StripeObject {
    const intent: StripeObject = {
      ...this.#account.create('payment_intent', 'pi'),
      amount: of.amount,
      amount_received: 0,
      currency: 'usd',
      customer: of.customer,
      payment_method: of.methodId,
      metadata: of.metadata,
      last_payment_error: null,
      latest_charge: null,
      status: 'processing',
    }
    this.#account.intents.set(intent.id, intent)
    return intent
  }

  #requireMethod(id: string, customer: string): void {
    if (this.#methods.get(id)?.['customer'] === customer) return
    throw new StripeRefusal(400, 'invalid_request_error', `No such PaymentMethod: '${id}'`, {
      code: 'resource_missing',
      param: 'payment_method',
    })
  }

  #nextOf(methodId: string): NextCharge {
    const behaviour = this.#next.shift() ?? this.#behaviours.get(methodId)!
    if (behaviour === 'lost-before') throw new LostAnswer()
    if (behaviour === '500-saved') throw new StripeRefusal(500, 'api_error', 'Stripe fails, as it was told')
    return behaviour
  }

  /** Whether a customer still has this card. */
  isAttached(methodId: string): boolean {
    return typeof this.#methods.get(methodId)?.['customer'] === 'string'
  }

  /** A bank debit succeeds or fails. */
  conclude(intentId: string, outcome: 'succeeded' | 'failed'): void {
    const intent = this.#account.intents.get(intentId)!
    if (outcome === 'succeeded') this.#succeed(intent)
    else this.#decline(intent, 'insufficient_funds')
  }

  cancel(id: string): StripeObject {
    const intent = this.#account.intents.get(id)
    if (intent !== undefined && this.#account.isOfInvoice(id))
      throw new StripeRefusal(400, 'invalid_request_error', 'Void the invoice of this PaymentIntent instead')
    if (intent === undefined || ['succeeded', 'canceled', 'processing'].includes(String(intent['status'])))
      throw new StripeRefusal(400, 'invalid_request_error', 'You cannot cancel this PaymentIntent', {
        code: 'payment_intent_unexpected_state',
      })
    intent['status'] = 'canceled'
    return intent
  }

  detach(id: string): StripeObject {
    const method = this.#methods.get(id)
    if (method === undefined || method['customer'] === null)
      throw new StripeRefusal(
        400,
        'invalid_request_error',
        'The payment method is not attached to a customer',
      )
    method['customer'] = null
    return method
  }

  #outcome(intent: StripeObject, behaviour: NextCharge): StripeObject {
    switch (behaviour) {
      case 'processing':
        return intent
      case 'requires_action':
        intent['status'] = 'requires_action'
        return intent
      case 'declined':
        throw this.#decline(intent, 'insufficient_funds')
      case 'authentication_required':
        throw this.#decline(intent, 'authentication_required')
      default:
        this.#succeed(intent)
    }
    if (behaviour === 'lost-after') throw new LostAnswer(intent)
    if (behaviour === '500-charged')
      throw new StripeRefusal(500, 'api_error', 'Stripe fails behind it, as it was told')
    return intent
  }

  #succeed(intent: StripeObject): void {
    this.#account.succeed(intent)
    this.#account.tell('payment_intent.succeeded', intent)
  }

  /** https://docs.stripe.com/error-handling#payment-errors */
  #decline(intent: StripeObject, declineCode: string): StripeRefusal {
    const code = declineCode === 'authentication_required' ? declineCode : 'card_declined'
    const error = { code, decline_code: declineCode, message: 'The card was declined', type: 'card_error' }
    Object.assign(intent, { status: 'requires_payment_method', last_payment_error: error })
    this.#account.tell('payment_intent.payment_failed', intent)
    return new StripeRefusal(402, 'card_error', error.message, {
      code,
      decline_code: declineCode,
      payment_intent: structuredClone(intent),
    })
  }
}
