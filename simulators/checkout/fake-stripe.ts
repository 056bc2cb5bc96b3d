import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { formObject, formText, parseForm, type FormObject } from './form-body.ts'
import { StripeAccount } from './stripe-account.ts'
import { LostAnswer, StripeRefusal } from './stripe-refusal.ts'
import type { StripeFixtures, StripeObject } from './stripe-fixtures.ts'

export interface FakeStripeRequest {
  method: string
  path: string
  idempotencyKey: string | undefined
  form: FormObject
}

export interface FakeStripeOptions {
  fixtures: StripeFixtures
  secretKey: string
  /** Start of the account's clock; Unix epoch seconds. */
  startSeconds?: number
}

const resources =
  'checkout/sessions|payment_intents|payment_methods|charges|refunds|disputes|' +
  'invoices|invoiceitems|invoice_payments'
const routes = new RegExp(`^/v1/(${resources})(?:/([^/]+))?(?:/(expire|cancel|detach|finalize|pay|void))?$`)

interface Kept {
  parameters: string
  /** Includes failures, and refusals of operations that had begun. */
  answer: StripeObject | StripeRefusal
}

/** The part of Stripe's API that Checkout needs, on a loopback port, for use with the official SDK. */
export class FakeStripe {
  readonly account: StripeAccount
  readonly requests: FakeStripeRequest[] = []
  readonly #secretKey: string
  readonly #server: Server
  readonly #kept = new Map<string, Kept>()
  #port = 0
  #outage: { requests: number; isDone: boolean } | undefined
  /** Statuses of the next responses, whatever the requests are. */
  readonly #failures: number[] = []

  constructor({ fixtures, secretKey, startSeconds }: FakeStripeOptions) {
    this.account = new StripeAccount(fixtures, startSeconds ?? Math.floor(Date.now() / 1000))
    this.#secretKey = secretKey
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => response.destroy(error as Error))
    })
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** After `close`, listens on the same port again. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Refuses connections from now on. */
  async close(): Promise<void> {
    if (!this.#server.listening) return
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }

  failNext(...statuses: number[]): void {
    this.#failures.push(...statuses)
  }

  /**
   * Leaves the n-th request from now and all later ones without a response.
   * @param isDone whether the n-th request is executed nevertheless
   */
  awayFrom(nth: number, isDone: boolean): void {
    this.#outage = { requests: nth, isDone }
  }

  /** @returns whether it had become unreachable by now */
  back(): boolean {
    const wasAway = this.#outage !== undefined && this.#outage.requests <= 0
    this.#outage = undefined
    return wasAway
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const url = new URL(request.url ?? '/', this.origin)
    const body = Buffer.concat(pieces).toString()
    const method = request.method ?? 'GET'
    const key = request.headers['idempotency-key']
    const idempotencyKey = typeof key === 'string' ? key : undefined
    const form = parseForm(method === 'POST' ? body : url.search.slice(1))
    this.requests.push({ method, path: url.pathname, idempotencyKey, form })
    const left = this.#outage === undefined ? 1 : --this.#outage.requests
    if (left < 0 || (left === 0 && this.#outage?.isDone !== true)) return void response.destroy()
    try {
      const failure = this.#failures.shift()
      if (failure !== undefined) throw new StripeRefusal(failure, 'api_error', 'Stripe fails, as it was told')
      if (request.headers.authorization !== `Bearer ${this.#secretKey}`)
        throw new StripeRefusal(401, 'invalid_request_error', 'Invalid API Key provided')
      const answer = this.#once(idempotencyKey, body, () => this.#answer(method, url.pathname, form))
      if (left === 0) return void response.destroy()
      response.setHeader('date', new Date(this.account.nowSeconds * 1000).toUTCString())
      send(response, 200, answer)
    } catch (error) {
      // Whether or not the operation was executed, the caller gets no response.
      if (error instanceof LostAnswer) return void response.destroy()
      if (!(error instanceof StripeRefusal)) throw error
      if (left === 0) return void response.destroy()
      const { status, type, message, more } = error
      send(response, status, { error: { type, message, ...more } })
    }
  }

  /** https://docs.stripe.com/api/idempotent_requests */
  #once(key: string | undefined, parameters: string, answer: () => StripeObject): StripeObject {
    const kept = key === undefined ? undefined : this.#kept.get(key)
    if (kept === undefined) {
      const first = attempt(answer)
      if (key !== undefined && isKept(first)) this.#kept.set(key, { parameters, answer: first.answer })
      if (first.isLost) throw new LostAnswer()
      return orThrow(first.answer)
    }
    if (kept.parameters === parameters) return orThrow(kept.answer)
    const message = 'Keys for idempotent requests can only be used with the same parameters'
    throw new StripeRefusal(400, 'idempotency_error', message)
  }

  #perform(deed: string, id: string, form: FormObject): StripeObject {
    switch (deed) {
      case 'invoices finalize':
        return this.account.invoices.finalize(id)
      case 'invoices pay':
        return this.account.invoices.pay(id, form)
      case 'invoices void':
        return this.account.invoices.void(id)
      case 'checkout/sessions expire':
        this.account.expire(id)
        return this.account.session(id)
      case 'payment_intents cancel':
        return this.account.saved.cancel(id)
      case 'payment_methods detach':
        return this.account.saved.detach(id)
      default:
        throw new StripeRefusal(404, 'invalid_request_error', `Unrecognized request URL (POST: ${deed})`)
    }
  }

  #answer(method: string, path: string, form: FormObject): StripeObject {
    const [, resource, id, deed] = routes.exec(path) ?? []
    if (method === 'POST' && deed !== undefined) return this.#perform(`${resource} ${deed}`, id ?? '', form)
    const expanded = Object.values(formObject(form, 'expand'))
    if (resource?.startsWith('invoice') === true) return this.#ofInvoices(`${method} ${resource}`, id, form)
    if (method === 'POST' && resource === 'checkout/sessions' && id === undefined)
      return this.account.createSession(form)
    if (method === 'GET' && resource === 'checkout/sessions') {
      if (id === undefined)
        return pageOf(
          this.account.sessionsOfPayment(formText(form, 'payment_intent') ?? ''),
          '/v1/checkout/sessions',
          form,
        )
      const session = this.account.session(id)
      const intent = session['payment_intent']
      if (typeof intent !== 'string' || !expanded.includes('payment_intent')) return session
      return { ...session, payment_intent: this.account.intent(intent) }
    }
    if (method === 'GET' && id === undefined && (resource === 'refunds' || resource === 'disputes')) {
      const withCharges = expanded.includes('data.charge')
      const rows = this.account.listSince(resource, Number(formText(form, 'created.gte') ?? 0), withCharges)
      return pageOf(rows, `/v1/${resource}`, form)
    }
    if (method === 'GET' && resource === 'charges' && id !== undefined) return this.account.charge(id)
    if (method === 'GET' && resource === 'payment_intents' && id !== undefined) {
      const intent = this.account.saved.withMethod(this.account.intent(id), expanded)
      const charge = intent['latest_charge']
      if (typeof charge !== 'string' || !expanded.includes('latest_charge')) return intent
      return { ...intent, latest_charge: this.account.charge(charge) }
    }
    if (resource === 'payment_intents' && id === undefined) {
      if (method === 'POST') return this.account.saved.charge(form)
      const since = Number(formText(form, 'created.gte') ?? 0)
      const rows = this.account.saved.intentsOf(formText(form, 'customer') ?? '', since)
      return pageOf(rows, '/v1/payment_intents', form)
    }
    throw new StripeRefusal(404, 'invalid_request_error', `Unrecognized request URL (${method}: ${path})`)
  }

  #ofInvoices(asked: string, id: string | undefined, form: FormObject): StripeObject {
    const { invoices } = this.account
    if (asked === 'POST invoices' && id === undefined) return invoices.create(form)
    if (asked === 'POST invoiceitems' && id === undefined) return invoices.addItem(form)
    if (asked === 'DELETE invoices' && id !== undefined) return invoices.delete(id)
    if (asked === 'GET invoices' && id !== undefined)
      return invoices.retrieve(id, Object.values(formObject(form, 'expand')))
    if (asked === 'GET invoices') {
      const since = Number(formText(form, 'created.gte') ?? 0)
      const rows = invoices.ofCustomer(formText(form, 'customer') ?? '', since)
      return pageOf(rows, '/v1/invoices', form)
    }
    if (asked === 'GET invoice_payments' && id === undefined) {
      const rows = invoices.paymentsOf(formText(form, 'payment.payment_intent') ?? '')
      return pageOf(rows, '/v1/invoice_payments', form)
    }
    throw new StripeRefusal(404, 'invalid_request_error', `Unrecognized request URL (${asked})`)
  }
}

interface AttemptResult {
  answer: StripeObject | StripeRefusal
  isLost: boolean
}

function attempt(answer: () => StripeObject): AttemptResult {
  try {
    return { answer: structuredClone(answer()), isLost: false }
  } catch (error) {
    if (error instanceof LostAnswer) {
      if (error.answer === undefined) throw error
      return { answer: structuredClone(error.answer), isLost: true }
    }
    if (error instanceof StripeRefusal) return { answer: error, isLost: false }
    throw error
  }
}

/** Stripe does not keep refusals before execution: https://docs.stripe.com/api/idempotent_requests. */
function isKept({ answer }: AttemptResult): boolean {
  return !(answer instanceof StripeRefusal) || answer.type === 'card_error' || answer.status === 500
}

function orThrow(answer: StripeObject | StripeRefusal): StripeObject {
  if (answer instanceof StripeRefusal) throw answer
  return answer
}

/** https://docs.stripe.com/api/pagination */
function pageOf(rows: StripeObject[], url: string, form: FormObject): StripeObject {
  const after = formText(form, 'starting_after')
  const start = after === undefined ? 0 : rows.findIndex(({ id }) => id === after) + 1
  const end = start + Number(formText(form, 'limit') ?? 10)
  return { id: 'list', object: 'list', data: rows.slice(start, end), has_more: end < rows.length, url }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake' })
  response.end(JSON.stringify(body))
}
