import { GatewayError, type ErrorType } from '@turnpike/protocol'

/** Where a vendor says nothing of when to come back. */
const defaultRetryAfterSeconds = 5

/** Longest message of a vendor that is passed on. */
const maxMessageCharacters = 4_000

/** An answer's head, as far as errors are concerned. */
export interface FailedAnswer {
  status: number
  retryAfter: string | undefined
  /** The body as text; any length, any format. */
  body: string
}

/** A vendor's answer that is no success, as the error a caller gets (contract, section 2). */
export function decodeError(answer: FailedAnswer): GatewayError {
  const said = vendorError(answer.body)
  const message = said.message ?? `The upstream answered with status ${answer.status}.`
  const detail = `upstream status ${answer.status}: ${answer.body.slice(0, 1_000)}`
  const { status } = answer
  const retryAfterSeconds = retryAfter(answer.retryAfter)
  if (status === 401 || status === 403) {
    return new GatewayError('upstream_error', "The upstream rejected the gateway's own credential.", {
      detail,
    })
  }
  if (status === 402) {
    return new GatewayError('service_unavailable', 'The upstream has no quota left for the gateway.', {
      detail,
      retryAfterSeconds: retryAfterSeconds ?? defaultRetryAfterSeconds,
    })
  }
  if (status === 429) {
    return new GatewayError('rate_limit_error', message, {
      detail,
      retryAfterSeconds: retryAfterSeconds ?? defaultRetryAfterSeconds,
    })
  }
  if (status === 408 || status === 504) {
    return new GatewayError('upstream_timeout', 'The upstream did not answer in time.', { detail })
  }
  if (status === 503 || status === 529) {
    return new GatewayError('service_unavailable', 'The upstream is overloaded or down for the moment.', {
      detail,
      retryAfterSeconds: retryAfterSeconds ?? defaultRetryAfterSeconds,
    })
  }
  if (status >= 400 && status < 500) {
    const param = said.param === undefined ? {} : { param: said.param }
    return new GatewayError(typeOf(status), message, { status, detail, ...param })
  }
  return new GatewayError('upstream_error', `The upstream failed with status ${status}.`, { detail })
}

function typeOf(status: number): ErrorType {
  if (status === 404) return 'not_found_error'
  if (status === 409) return 'conflict_error'
  return status === 413 ? 'request_too_large' : 'invalid_request_error'
}

/** The error that a vendor put into an answer which began as a success; undefined where there is none. */
export function errorInAnswer(body: Record<string, unknown>): GatewayError | undefined {
  if (body['error'] === undefined || body['error'] === null) return undefined
  const said = vendorError(JSON.stringify(body))
  const code = Number(said.code)
  if (code === 429) {
    const message = said.message ?? 'The upstream is over its rate limit.'
    return new GatewayError('rate_limit_error', message, { retryAfterSeconds: defaultRetryAfterSeconds })
  }
  const message = said.message ?? 'The upstream reported an error within its answer.'
  return new GatewayError('upstream_error', message, { detail: JSON.stringify(body).slice(0, 1_000) })
}

interface VendorError {
  message?: string
  param?: string
  code?: unknown
}

/**
 * What there is of a message, in the shapes that vendors use: an object, a string, `detail`, or no JSON at
 * all.
 */
function vendorError(text: string): VendorError {
  const body = parsedObject(text)
  if (body === undefined) return {}
  const { error } = body
  if (typeof error === 'string') return { message: error.slice(0, maxMessageCharacters) }
  const holder = (typeof error === 'object' && error !== null ? error : body) as Record<string, unknown>
  const message = holder['message'] ?? holder['detail']
  return {
    ...(typeof message === 'string' ? { message: message.slice(0, maxMessageCharacters) } : {}),
    ...(typeof holder['param'] === 'string' ? { param: holder['param'] } : {}),
    code: holder['code'],
  }
}

function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const first: unknown = Array.isArray(value) ? value[0] : value
    return typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : undefined
  } catch {
    // Not JSON (an HTML page of a proxy, or nothing): there is no message to pass on.
    return undefined
  }
}

/** `Retry-After` in either of its forms (RFC 9110, section 10.2.3), in whole seconds, at least 1. */
function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\d+(\.\d+)?$/.test(header.trim())
    ? Number(header)
    : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined
}
