import type { GatewayError } from '@turnpike/protocol'
import { decodeVendorError } from '../../vendor-errors/decode-error.ts'

/** The status for the error type of an event: https://platform.claude.com/docs/en/api/errors. */
const statuses: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

/** The error in an answer that began as a success. */
export function errorInAnswer(body: Record<string, unknown>): GatewayError {
  const { error } = body
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined
  const status = typeof type === 'string' && Object.hasOwn(statuses, type) ? statuses[type]! : 500
  return decodeVendorError({ status, retryAfter: undefined, body: JSON.stringify(body) })
}
