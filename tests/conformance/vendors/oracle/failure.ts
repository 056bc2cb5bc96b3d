import { list, object, text, type Json } from './json.ts'
import type { SaidFailure } from './said-answer.ts'

/** A failed response as the caller must get it (docs/contract.md, 2). */
export function failureOf(status: number, retryAfter: string | undefined, body: unknown): SaidFailure {
  const said = object(Array.isArray(body) ? body[0] : body)
  // A rejected credential of ours is not the caller's error; Google reports it with 400.
  if (status === 401 || status === 403 || googleReason(said) === 'API_KEY_INVALID')
    return { status: 502, type: 'upstream_error', message: undefined, retryAfterSeconds: undefined }
  if (status === 429)
    return {
      status,
      type: 'rate_limit_error',
      message: messageOf(said),
      retryAfterSeconds: retryDelaySeconds(said) ?? secondsOf(retryAfter),
    }
  if (status === 529 || status === 503)
    return { status: 503, type: 'service_unavailable', message: undefined, retryAfterSeconds: undefined }
  if (status >= 500)
    return { status: 502, type: 'upstream_error', message: undefined, retryAfterSeconds: undefined }
  return {
    status,
    type: status === 404 ? 'not_found_error' : 'invalid_request_error',
    message: messageOf(said),
    retryAfterSeconds: undefined,
  }
}

/**
 * Reads `{error: {message}}`, `{error: "…"}`, `{message}` and `{detail: "…"}`, without the operator's
 * project.
 */
export function messageOf(body: Json): string | undefined {
  const { error } = body
  if (typeof error === 'string') return error
  const holder = error === undefined ? body : object(error)
  const message = text(holder['message']) || text(holder['detail'])
  return message === '' ? undefined : message.replace('projects/fake-project/', 'projects/[redacted]/')
}

function googleReason(body: Json): unknown {
  return list(object(body['error'])['details']).find((one) => one['reason'] !== undefined)?.['reason']
}

/** Google's `RetryInfo`, such as `"21.5s"`, rounded up. */
function retryDelaySeconds(body: Json): number | undefined {
  const delay = list(object(body['error'])['details']).find((one) => one['retryDelay'] !== undefined)
  return delay === undefined
    ? undefined
    : Math.max(1, Math.ceil(Number.parseFloat(text(delay['retryDelay']))))
}

function secondsOf(header: string | undefined): number | undefined {
  return header === undefined ? undefined : Math.max(1, Math.ceil(Number(header)))
}
