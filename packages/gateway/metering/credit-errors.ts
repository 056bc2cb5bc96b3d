import type { HoldRefusal } from '@turnpike/billing'
import { GatewayError } from '@turnpike/protocol'
import { budgetName, raiseBudget } from './budget-words.ts'

/**
 * The error for a stream that has used up what its key may spend: its own credit, the credit of the key that
 * it draws on, its spend limit or a budget.
 */
export function creditExhausted({ limit, budget }: Pick<HoldRefusal, 'limit' | 'budget'> = {}): GatewayError {
  return new GatewayError('insufficient_quota', messageOf(limit !== undefined, budget))
}

function messageOf(isOfLimit: boolean, budget: HoldRefusal['budget']): string {
  const when = 'was used up while the answer was being streamed'
  if (budget !== undefined) return `${budgetName(budget.rule, 'T')} ${when}. ${raiseBudget(budget.rule)}.`
  if (isOfLimit) return `The key's spend limit ${when}. Raise it (PATCH /api/v1/me/keys/{id}).`
  return `The credit available to this key ${when}. Top up to continue.`
}

/** The error for a request whose hold cannot be placed or extended while the database is unavailable. */
export function creditUncheckedError(cause: unknown): GatewayError {
  const message = 'The credit cannot be checked at the moment; please retry.'
  const detail = `lease refill failed: ${String(cause)}`
  return new GatewayError('service_unavailable', message, { cause, retryAfterSeconds: 1, detail })
}

/** The error for an answer that needs more than its hold while the database is unavailable. */
export function creditUnknown(): GatewayError {
  const message = 'The credit for the rest of this answer cannot be checked at the moment.'
  return new GatewayError('service_unavailable', message, { retryAfterSeconds: 1 })
}
