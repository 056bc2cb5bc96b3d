import type { ErrorType, GatewayError } from '@turnpike/protocol'

/** Anthropic's words for errors, and the status of each: https://platform.claude.com/docs/en/api/errors. */
const words: Record<ErrorType, { type: string; status?: number }> = {
  invalid_request_error: { type: 'invalid_request_error' },
  authentication_error: { type: 'authentication_error' },
  insufficient_quota: { type: 'billing_error' },
  permission_error: { type: 'permission_error' },
  not_found_error: { type: 'not_found_error' },
  conflict_error: { type: 'invalid_request_error' },
  request_too_large: { type: 'request_too_large' },
  rate_limit_error: { type: 'rate_limit_error' },
  client_closed_request: { type: 'api_error' },
  api_error: { type: 'api_error' },
  upstream_error: { type: 'api_error' },
  service_unavailable: { type: 'overloaded_error', status: 529 },
  upstream_timeout: { type: 'timeout_error' },
}

/** The status that a caller of Messages gets. */
export function errorStatus({ type, status }: GatewayError): number {
  return words[type].status ?? status
}

/** The body of an error, and the data of an `error` event. `param` and `code` are ours. */
export function formatError(error: GatewayError, requestId: string): object {
  const { type } = words[error.type]
  const message = error.reason === 'context-too-long' ? promptTooLong(error.message) : error.message
  const param = error.param === null ? {} : { param: error.param }
  return { type: 'error', error: { type, message, ...param }, request_id: requestId }
}

const number = /\d[\d,_.]*\d|\d/g
/** A context is no shorter, so that no status or index is taken for one. */
const leastContext = 1_000

/**
 * Claude Code reads the two numbers of this sentence, and makes the conversation shorter. Vendors tell them
 * in sentences of their own: the larger one is what was asked, the other one the most that is taken.
 */
function promptTooLong(message: string): string {
  if (/prompt is too long: \d+ tokens > \d+ maximum/i.test(message)) return message
  const numbers = Array.from(message.matchAll(number), ([text]) => Number(text.replaceAll(/[,_.]/g, '')))
  const tokens = [...new Set(numbers.filter((one) => one >= leastContext))].toSorted((a, b) => b - a)
  const [asked, most] = tokens
  if (asked === undefined || most === undefined) return `prompt is too long: ${message}`
  return `prompt is too long: ${asked} tokens > ${most} maximum`
}
