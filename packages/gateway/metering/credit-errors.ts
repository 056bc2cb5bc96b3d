import type { BudgetRule } from '@turnpike/billing'
import { GatewayError } from '@turnpike/protocol'
import { budgetName, raiseBudget } from './budget-words.ts'

/**
 * A stream has said what the credit of its key covers, its own or that of the key on which it draws; or what
 * a budget leaves.
 */
export function creditExhausted(budget?: BudgetRule): GatewayError {
  const message =
    budget === undefined
      ? 'The credit that the key uses was used up while the answer was being streamed. Top up to go on.'
      : `${budgetName(budget, 'T')} was used up while the answer was being streamed. ${raiseBudget(budget)}.`
  return new GatewayError('insufficient_quota', message)
}

/** An answer has more than is held for, and the database cannot be asked for the rest. */
export function creditUnknown(): GatewayError {
  const message = 'The credit for more of this answer cannot be checked at the moment.'
  return new GatewayError('service_unavailable', message, { retryAfterSeconds: 1 })
}
