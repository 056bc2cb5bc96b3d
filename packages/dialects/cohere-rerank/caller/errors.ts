import { errorEnvelope, type GatewayError } from '@turnpike/protocol'

export { errorStatus } from '../../answers/openai-errors.ts'

/**
 * Writes `{"message", "error": {…}}`: the envelope of all our endpoints, and the one field in which Cohere's
 * clients look for the message (https://docs.cohere.com/reference/errors).
 */
export function formatError(error: GatewayError, requestId: string): object {
  return { message: error.message, ...errorEnvelope(error, requestId) }
}
