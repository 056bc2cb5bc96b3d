import { formObject, formText, type FormObject } from './form-body.ts'
import { Invoices } from './invoices.ts'
import { StripeRefusal } from './stripe-refusal.ts'
import { SavedPayments, type NextCharge } from './saved-payments.ts'
import type { StripeFixtures, StripeObject } from './stripe-fixtures.ts'

export interface StripeEvent extends StripeObject {
  type: string
  created: number
}

const daySeconds = 86_400
/** https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const leastCents = 50
const mostCents = 99_999_999

/**
 * The state of one Stripe account, and the operations of customers and banks on it. Each operation returns
 * its events in Stripe's order; the test decides when, how often and in which order they are delivered.
 */
export class StripeAccount {
  readonly events: StripeEvent[] = []
  readonly #fixtures: StripeFixtures
  readonly #sessions = new Map<string, StripeObject>()
  readonly #intents = new Map<string, StripeObject>()
  readonly #charges = new Map<string, StripeObject>()
  readonly #disputes = new Map<string, StripeObject>()
  readonly #refunds = new Map<string, StripeObject>()
  /** Customers, their saved cards, and charges to these. */
  readonly saved: SavedPayments
  readonly invoices: Invoices
  readonly #startSeconds: number
  #serial = 0

  constructor(fixtures: StripeFixtures, startSeconds: number) {
    this.#fixtures = fixtures
    this.#startSeconds = startSeconds
    this.saved = new SavedPayments({
      create: (resource, prefix) => this.#create(resource, prefix),
      intents: this.#intents,
      succeed: (intent) => this.#addCharge(intent),
      tell: (type, object) => void this.#tell(type, object),
      isOfInvoice: (id) => this.invoices.paymentsOf(id).length > 0,
    })
    this.invoices = new Invoices({
      create: (resource, prefix) => this.#create(resource, prefix),
      intents: this.#intents,
      saved: this.saved,
      tell: (type, object) => void this.#tell(type, object),
    })
  }

  createSession(form: FormObject): StripeObject {
    if (formText(form, 'mode') !== 'payment') throw refusal('mode', 'Invalid mode: must be payment here')
    const price = 'line_items.0.price_data'
    const cents = Number(formText(form, `${price}.unit_amount`))
    if (formText(form, `${price}.currency`) !== 'usd') throw refusal('currency', 'Invalid currency')
    if (!Number.isInteger(cents)) throw refusal('unit_amount', 'Invalid integer')
    if (cents < leastCents || cents > mostCents) throw refusal('unit_amount', 'Amount out of bounds')
    if (formText(form, 'success_url') === undefined) throw refusal('success_url', 'Missing success_url')
    const session = this.#create('checkout.session', 'cs_test')
    return this.#keep(this.#sessions, {
      ...session,
      amount_subtotal: cents,
      total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
      amount_total: cents * Number(formText(form, 'line_items.0.quantity') ?? 1),
      currency: 'usd',
      client_reference_id: formText(form, 'client_reference_id') ?? null,
      metadata: formObject(form, 'metadata'),
      // Stripe creates the payment intent when the customer pays; its future contents are kept here.
      payment_intent: null,
      intent_metadata: formObject(formObject(form, 'payment_intent_data'), 'metadata'),
      customer_creation: formText(form, 'customer_creation') ?? 'if_required',
      setup_future_usage: formText(form, 'payment_intent_data.setup_future_usage') ?? null,
      automatic_tax: { enabled: formText(form, 'automatic_tax.enabled') === 'true', status: null },
      status: 'open',
      payment_status: 'unpaid',
      expires_at: session.created + daySeconds,
      url: `https://checkout.stripe.com/c/pay/${session.id}`,
      success_url: formText(form, 'success_url')!,
      cancel_url: formText(form, 'cancel_url') ?? null,
    })
  }

  session(id: string): StripeObject {
    return toPublic(requireObject(this.#sessions, id))
  }

  sessionsOfPayment(intentId: string): StripeObject[] {
    return [...this.#sessions.values()].filter((one) => one['payment_intent'] === intentId).map(toPublic)
  }

  intent(id: string): StripeObject {
    return requireObject(this.#intents, id)
  }

  charge(id: string): StripeObject {
    return requireObject(this.#charges, id)
  }

  /** Newest first, as Stripe lists them. */
  listSince(of: 'refunds' | 'disputes', sinceSeconds: number, withCharges: boolean): StripeObject[] {
    const all = of === 'refunds' ? this.#refunds : this.#disputes
    return [...all.values()]
      .filter((one) => Number(one['created']) >= sinceSeconds)
      .toReversed()
      .map((one) => (withCharges ? { ...one, charge: this.charge(String(one['charge'])) } : one))
  }

  passTime(seconds: number): void {
    this.#serial += seconds
  }

  /** Creation time of the next object. */
  get nowSeconds(): number {
    return this.#startSeconds + this.#serial
  }

  /** The customer pays: by card, which succeeds at once, or by a bank debit, which stays pending. */
  pay(
    sessionId: string,
    options: { later?: boolean; cents?: number; taxCents?: number; card?: NextCharge } = {},
  ): StripeEvent {
    const session = requireObject(this.#sessions, sessionId)
    if (session['status'] !== 'open') throw new Error(`${sessionId} is ${String(session['status'])}`)
    if (options.cents !== undefined) session['amount_total'] = options.cents
    if (options.taxCents !== undefined) {
      session['amount_total'] = Number(session['amount_subtotal']) + options.taxCents
      session['total_details'] = { amount_discount: 0, amount_shipping: 0, amount_tax: options.taxCents }
    }
    const intent = this.#keep(this.#intents, {
      ...this.#create('payment_intent', 'pi'),
      amount: session['amount_total'],
      currency: 'usd',
      metadata: session['intent_metadata'],
      status: 'processing',
      customer: null,
      payment_method: null,
      last_payment_error: null,
      ...(session['setup_future_usage'] === null ? {} : this.saved.save(options.card)),
    })
    Object.assign(session, { status: 'complete', url: null, payment_intent: intent.id })
    if (options.later !== true) this.#succeed(session, intent)
    return this.#tell('checkout.session.completed', toPublic(session))
  }

  /** A bank debit succeeds or fails. */
  conclude(sessionId: string, outcome: 'succeeded' | 'failed'): StripeEvent {
    const session = requireObject(this.#sessions, sessionId)
    const intent = this.intent(String(session['payment_intent']))
    if (outcome === 'succeeded') this.#succeed(session, intent)
    else intent['status'] = 'requires_payment_method'
    return this.#tell(`checkout.session.async_payment_${outcome}`, toPublic(session))
  }

  /** Expires the session, as time or the API does. */
  expire(sessionId: string): StripeEvent {
    const session = requireObject(this.#sessions, sessionId)
    if (session['status'] !== 'open')
      throw refusal('id', 'Only Checkout Sessions that are open can be expired')
    Object.assign(session, { status: 'expired', url: null })
    return this.#tell('checkout.session.expired', toPublic(session))
  }

  refund(sessionId: string, cents: number): { refundId: string; event: StripeEvent } {
    const charge = this.#chargeOf(sessionId)
    const refunded = Number(charge['amount_refunded']) + cents
    if (refunded > Number(charge['amount'])) throw new Error('more refunded than paid')
    const refund = this.#keep(this.#refunds, {
      ...this.#create('refund', 're'),
      amount: cents,
      charge: charge.id,
      payment_intent: charge['payment_intent'],
    })
    Object.assign(charge, { amount_refunded: refunded, refunded: refunded === charge['amount'] })
    return { refundId: refund.id, event: this.#tell('charge.refunded', charge) }
  }

  /** The customer's bank returns a refund. */
  failRefund(refundId: string): StripeEvent {
    const refund = requireObject(this.#refunds, refundId)
    const charge = this.charge(String(refund['charge']))
    refund['status'] = 'failed'
    const refunded = Number(charge['amount_refunded']) - Number(refund['amount'])
    Object.assign(charge, { amount_refunded: refunded, refunded: false })
    return this.#tell('refund.failed', refund)
  }

  dispute(sessionId: string, cents?: number): { disputeId: string; event: StripeEvent } {
    const charge = this.#chargeOf(sessionId)
    const dispute = this.#keep(this.#disputes, {
      ...this.#create('dispute', 'dp'),
      amount: cents ?? charge['amount'],
      charge: charge.id,
      payment_intent: charge['payment_intent'],
      status: 'needs_response',
    })
    return { disputeId: dispute.id, event: this.#tell('charge.dispute.created', dispute) }
  }

  closeDispute(disputeId: string, status: 'won' | 'lost' | 'warning_closed'): StripeEvent {
    const dispute = requireObject(this.#disputes, disputeId)
    dispute['status'] = status
    return this.#tell('charge.dispute.closed', dispute)
  }

  /** An event as Stripe sends it, with the object in its current state. */
  #tell(type: string, object: StripeObject): StripeEvent {
    const event = { ...this.#create('event', 'evt'), type, data: { object: structuredClone(object) } }
    this.events.push(event)
    return event
  }

  #succeed(session: StripeObject, intent: StripeObject): void {
    this.#addCharge(intent)
    session['payment_status'] = 'paid'
  }

  #addCharge(intent: StripeObject): void {
    const charge = this.#keep(this.#charges, {
      ...this.#create('charge', 'ch'),
      amount: intent['amount'],
      amount_captured: intent['amount'],
      metadata: intent['metadata'],
      payment_intent: intent.id,
    })
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: intent['amount'],
      latest_charge: charge.id,
    })
  }

  /** The payment of a session, or one that was made without a session. */
  #chargeOf(id: string): StripeObject {
    const intent =
      this.#intents.get(id) ?? this.intent(String(requireObject(this.#sessions, id)['payment_intent']))
    return this.charge(String(intent['latest_charge']))
  }

  /** A copy of Stripe's example object. Each creation advances the clock by a second. */
  #create(resource: string, prefix: string): StripeObject & { created: number } {
    const example = this.#fixtures[resource]
    if (example === undefined) throw new Error(`Stripe's fixtures have no ${resource}`)
    const serial = ++this.#serial
    const id = `${prefix}_${this.#startSeconds}${String(serial).padStart(6, '0')}`
    return { ...structuredClone(example), id, created: this.#startSeconds + serial }
  }

  #keep<Kept extends StripeObject>(map: Map<string, StripeObject>, object: Kept): Kept {
    map.set(object.id, object)
    return object
  }
}

/** Removes fields that only the simulator knows. */
function toPublic(session: StripeObject): StripeObject {
  const { intent_metadata: _, setup_future_usage: __, ...rest } = session
  return rest
}

function requireObject(map: Map<string, StripeObject>, id: string): StripeObject {
  const object = map.get(id)
  if (object !== undefined) return object
  throw new StripeRefusal(404, 'invalid_request_error', `No such object: '${id}'`, {
    code: 'resource_missing',
    param: 'id',
  })
}

function refusal(param: string, message: string): StripeRefusal {
  return new StripeRefusal(400, 'invalid_request_error', message, { param })
}
