import type { ErrorType, GatewayError } from '@turnpike/protocol'

/** Google's error names: https://cloud.google.com/apis/design/errors#handling_errors. */
const words: Record<ErrorType, string> = {
  invalid_request_error: 'INVALID_ARGUMENT',
  authentication_error: 'UNAUTHENTICATED',
  insufficient_quota: 'FAILED_PRECONDITION',
  permission_error: 'PERMISSION_DENIED',
  not_found_error: 'NOT_FOUND',
  conflict_error: 'ABORTED',
  request_too_large: 'INVALID_ARGUMENT',
  rate_limit_error: 'RESOURCE_EXHAUSTED',
  client_closed_request: 'CANCELLED',
  api_error: 'INTERNAL',
  upstream_error: 'INTERNAL',
  service_unavailable: 'UNAVAILABLE',
  upstream_timeout: 'DEADLINE_EXCEEDED',
}

const typePrefix = 'type.googleapis.com/google.rpc.'

/** The status that a caller of generateContent gets: the same as in other formats. */
export function errorStatus({ status }: GatewayError): number {
  return status
}

/** The body of an error, and the last event of a stream that broke off. */
export function formatError(error: GatewayError, requestId: string): object {
  const { type, status: code, message, param, retryAfterSeconds } = error
  const details: object[] = [
    {
      '@type': `${typePrefix}ErrorInfo`,
      reason: type.toUpperCase(),
      domain: 'turnpike',
      metadata: metadataOf(error),
    },
  ]
  if (param !== null) {
    const fieldViolations = [{ field: param, description: message }]
    details.push({ '@type': `${typePrefix}BadRequest`, fieldViolations })
  }
  if (retryAfterSeconds !== undefined)
    details.push({ '@type': `${typePrefix}RetryInfo`, retryDelay: `${retryAfterSeconds}s` })
  details.push({ '@type': `${typePrefix}RequestInfo`, requestId })
  return { error: { code, message, status: words[type], details } }
}

/** An `ErrorInfo` only contains strings (https://google.aip.dev/193#errorinfo). */
function metadataOf({ metadata = {} }: GatewayError): Record<string, string> {
  const texts = Object.entries(metadata).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return Object.fromEntries(texts)
}
