import { GatewayError, toGatewayError } from '@turnpike/protocol'
import { UpstreamFailure } from './client.ts'
import { CredentialFailure } from './credentials/credential.ts'

const retryAfterSeconds = 1

/** The caller's error for a call that got no answer, or an incomplete one. */
export function upstreamError(error: Error): GatewayError {
  if (error instanceof GatewayError) return error
  const detail = `${error.name}: ${error.message}`
  switch (error instanceof UpstreamFailure ? error.reason : 'connection-lost') {
    case 'first-byte-timeout':
    case 'idle-timeout':
    case 'total-timeout':
      return new GatewayError('upstream_timeout', 'The upstream did not answer in time.', {
        cause: error,
        detail,
      })
    case 'too-many-waiting':
      return new GatewayError(
        'service_unavailable',
        'Too many requests are waiting for the upstream; please retry.',
        { cause: error, detail, retryAfterSeconds },
      )
    case 'connect-failed':
    case 'connect-timeout':
      return new GatewayError('service_unavailable', 'The upstream is unreachable at the moment.', {
        cause: error,
        detail,
        retryAfterSeconds,
      })
    case 'connection-lost':
    case 'aborted':
      return new GatewayError(
        'upstream_error',
        'The upstream closed the connection before its answer was complete.',
        {
          cause: error,
          detail,
        },
      )
  }
}

/** The short name of a failure, for the attempts in a request's row. */
export function failureOf(error: unknown, status: number | null): string {
  if (status !== null && (status < 200 || status > 299)) return `status-${status}`
  const gatewayError = toGatewayError(error)
  if (gatewayError.cause instanceof UpstreamFailure) return gatewayError.cause.reason
  if (gatewayError.cause instanceof CredentialFailure) return 'no-credential'
  return gatewayError.type === 'upstream_error' ? 'unusable-answer' : gatewayError.type
}

/** Whether one of our own limits was reached, or we had no credential: the upstream is not responsible. */
export function isOwnFailure({ cause }: GatewayError): boolean {
  if (cause instanceof CredentialFailure) return true
  return cause instanceof UpstreamFailure && cause.reason === 'too-many-waiting'
}
