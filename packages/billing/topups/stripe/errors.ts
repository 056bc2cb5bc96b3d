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

/** What Stripe refuses is between the operator and Stripe: callers are told only whether waiting helps. */
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

/** Undefined where Stripe has no such thing. */
export async function findOrUndefined<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof StripeError && error.code === 'resource_missing') return undefined
    throw asGatewayError(error)
  }
}

/** What was asked cannot be: it was not begun. */
export function isRefused(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof StripeInvalidRequestError
}

/** So was a payment by the customer's bank. */
export function isDeclined(error: unknown): error is Stripe.errors.StripeCardError {
  return error instanceof StripeCardError
}

/** Undefined where the key may not ask that. */
export async function unlessForbidden<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof StripePermissionError) return undefined
    throw error
  }
}

/** Undefined where what is asked cannot be. */
export async function unlessRefused<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (isRefused(error)) return undefined
    throw asGatewayError(error)
  }
}
