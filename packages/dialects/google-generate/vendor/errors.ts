import type { GatewayError } from '@turnpike/protocol'
import { parseJson } from '../../json/parse-json.ts'
import { decodeVendorError, type FailedAnswer } from '../../vendor-errors/decode-error.ts'
import { neutralPath } from './error-path.ts'

/** https://cloud.google.com/apis/design/errors#error_model */
interface GoogleError {
  code?: unknown
  status?: unknown
  details?: unknown
}

/** Converts a response that is not a success to an error. `RetryInfo` is used as `Retry-After`. */
export function decodeError(answer: FailedAnswer): GatewayError {
  const error = errorOf(parseJson(answer.body)) ?? {}
  const decoded = decodeVendorError({
    ...answer,
    status: callerStatus(answer.status, error),
    retryAfter: retryDelay(error) ?? answer.retryAfter,
  })
  if (decoded.type !== 'invalid_request_error') return decoded
  const param = neutralPath(fieldViolated(error) ?? decoded.message)
  return param === undefined ? decoded : decoded.with({ param })
}

/** The first field of a `google.rpc.BadRequest`. */
function fieldViolated(error: GoogleError): string | undefined {
  for (const { fieldViolations: all } of detailsOf(error)) {
    const first: unknown = Array.isArray(all) ? all[0] : undefined
    const field = (first as { field?: unknown } | null | undefined)?.field
    if (typeof field === 'string' && field !== '') return field
  }
  return undefined
}

/** The error in an event of a stream that began as a success; undefined if there is none. */
export function errorInAnswer(body: Record<string, unknown>): GatewayError | undefined {
  const error = errorOf(body)
  if (error === undefined) return undefined
  const status = typeof error.code === 'number' && error.code >= 400 && error.code < 600 ? error.code : 502
  return decodeError({ status, retryAfter: undefined, body: JSON.stringify(body) })
}

/** Streams without `alt=sse`, and proxies of Google's, put the error into an array. */
function errorOf(body: unknown): GoogleError | undefined {
  const first: unknown = Array.isArray(body) ? body[0] : body
  const error = (first as { error?: unknown } | null | undefined)?.error
  if (error === null || error === undefined) return undefined
  return typeof error === 'object' ? error : {}
}

/**
 * Google uses 400 for a wrong key, and for an account that may not call from the gateway's location. Neither
 * is the caller's fault (https://ai.google.dev/gemini-api/docs/troubleshooting).
 */
function callerStatus(status: number, error: GoogleError): number {
  const reasons = detailsOf(error).map(({ reason }) => reason)
  if (reasons.includes('API_KEY_INVALID') || error.status === 'UNAUTHENTICATED') return 401
  if (error.status === 'FAILED_PRECONDITION' || status === 499) return 502
  return status
}

/** `retryDelay` of a `google.rpc.RetryInfo`, such as `34.4s`, in whole seconds. */
function retryDelay(error: GoogleError): string | undefined {
  for (const { retryDelay: delay } of detailsOf(error)) {
    const seconds = typeof delay === 'string' ? Number.parseFloat(delay) : Number.NaN
    if (Number.isFinite(seconds)) return String(Math.max(1, Math.ceil(seconds)))
  }
  return undefined
}

function detailsOf({ details }: GoogleError): Record<string, unknown>[] {
  if (!Array.isArray(details)) return []
  return details.filter((detail) => typeof detail === 'object' && detail !== null) as Record<
    string,
    unknown
  >[]
}
