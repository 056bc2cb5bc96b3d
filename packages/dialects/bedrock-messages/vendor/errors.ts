import type { GatewayError } from '@turnpike/protocol'

/** Anthropic's error types for an error in a stream. */
const types: Partial<Record<GatewayError['type'], string>> = {
  rate_limit_error: 'rate_limit_error',
  service_unavailable: 'overloaded_error',
  upstream_timeout: 'timeout_error',
  invalid_request_error: 'invalid_request_error',
}

/** An AWS exception as the event with which Anthropic reports an error. */
export function formatError({ type, message }: GatewayError): object {
  return { type: 'error', error: { type: types[type] ?? 'api_error', message } }
}
