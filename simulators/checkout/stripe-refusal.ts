import type { StripeObject } from './stripe-fixtures.ts'

/** What else an error says: `code`, `param`, `decline_code`, `payment_intent`. */
interface More {
  code?: string
  param?: string
  decline_code?: string
  payment_intent?: StripeObject
}

/** What Stripe refuses, as its API says it. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal'
  readonly status: number
  readonly type: string
  readonly more: More

  constructor(status: number, type: string, message: string, more: More = {}) {
    super(message)
    this.status = status
    this.type = type
    this.more = more
  }
}

/** The connection breaks off; what was asked for is done, where it has an answer. */
export class LostAnswer extends Error {
  override readonly name = 'LostAnswer'
  readonly answer: StripeObject | undefined

  constructor(answer?: StripeObject) {
    super('the answer was lost')
    this.answer = answer
  }
}
