import { GatewayError } from '@turnpike/protocol'
import Stripe from 'stripe'

const retryAfterSeconds = 5

const {
  StripeError,
  StripeCardError,
  StripeInvalidRequestError,
  StripePermissionError,
  StripeConnectionError,
  StripeAPIError,
  StripeRateLimitError,
  StripeIdempotencyError,
} = Stripe.errors

const passing = [StripeConnectionError, StripeAPIError, StripeRateLimitError, StripeIdempotencyError]

/** Stripe's refusals are between the operator and Stripe: callers only learn whether waiting helps. */
export function asGatewayError(error: unknown): unknown {
  if (!(error instanceof StripeError)) return error
  const detail = `stripe: ${error.type} ${error.code ?? ''} ${error.message}`
  if (passing.some((kind) => error instanceof kind)) {
    const message = 'The payment processor cannot be reached at the moment; please retry.'
    return new GatewayError('service_unavailable', message, { cause: error, detail, retryAfterSeconds })
  }
  const message = 'The payment processor refused the request. The operator has to check the configuration.'
  return new GatewayError('upstream_error', message, { cause: error, detail })
}

/** Undefined if Stripe has no such object. */
export async function findOrUndefined<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof StripeError && error.code === 'resource_missing') return undefined
    throw asGatewayError(error)
  }
}

/** Whether Stripe refused the request, so that nothing was begun. */
export function isRefused(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof StripeInvalidRequestError
}

/** Whether the customer's bank declined the payment. */
export function isDeclined(error: unknown): error is Stripe.errors.StripeCardError {
  return error instanceof StripeCardError
}

/** Undefined if the key has no permission for this. */
export async function unlessForbidden<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof StripePermissionError) return undefined
    throw error
  }
}

/** Undefined if Stripe refuses the request. */
export async function unlessRefused<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (isRefused(error)) return undefined
    throw asGatewayError(error)
  }
}
