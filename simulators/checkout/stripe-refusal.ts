import type { StripeObject } from './stripe-fixtures.ts'

/** Further fields of an error: `code`, `param`, `decline_code`, `payment_intent`. */
interface More {
  code?: string
  param?: string
  decline_code?: string
  payment_intent?: StripeObject
}

/** An error in the format of Stripe's API. */
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

/** The connection breaks. If there is an answer, the request was executed. */
export class LostAnswer extends Error {
  override readonly name = 'LostAnswer'
  readonly answer: StripeObject | undefined

  constructor(answer?: StripeObject) {
    super('the answer was lost')
    this.answer = answer
  }
}
