import { errorEnvelope, type ErrorMetadata, type ErrorType, type GatewayError } from '@turnpike/protocol'

/**
 * OpenAI's error codes (https://platform.openai.com/docs/guides/error-codes), by which Codex and other
 * clients decide whether to retry. Null: the message says everything.
 */
const codes: Record<ErrorType, string | null> = {
  invalid_request_error: null,
  authentication_error: 'invalid_api_key',
  insufficient_quota: 'insufficient_quota',
  permission_error: null,
  not_found_error: null,
  conflict_error: null,
  request_too_large: null,
  rate_limit_error: 'rate_limit_exceeded',
  client_closed_request: null,
  api_error: 'server_error',
  upstream_error: 'server_error',
  service_unavailable: 'server_error',
  upstream_timeout: 'server_error',
}

function codeOf({ type, reason, param }: GatewayError): string | null {
  // Clients that know this code then send the whole conversation.
  if (type === 'invalid_request_error' && param === 'previous_response_id')
    return 'previous_response_not_found'
  return reason === 'context-too-long' ? 'context_length_exceeded' : codes[type]
}

/** The body of an error. */
export function formatError(error: GatewayError, requestId: string): object {
  const { error: body } = errorEnvelope(error, requestId)
  return { error: { ...body, code: codeOf(error) } }
}

/** The `error` of a failed answer. An invalid request is the prompt's fault there; `metadata` is ours. */
export function failureOf(error: GatewayError): { code: string; message: string; metadata?: ErrorMetadata } {
  const { message, metadata } = error
  return { code: codeOf(error) ?? 'invalid_prompt', message, ...(metadata !== undefined && { metadata }) }
}
