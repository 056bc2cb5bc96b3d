import { GatewayError } from '@turnpike/protocol'
import { decodeAnswerError } from '../../vendor-errors/decode-error.ts'

/** The error in an answer that began as a success; undefined if there is none. */
export function errorInAnswer(body: unknown, event = ''): GatewayError | undefined {
  return event === 'error' || isError(body) ? decodeAnswerError(body) : undefined
}

/** `{"error": …}`, or, if there are no choices, one of the other fields in which vendors report an error. */
function isError(value: unknown): boolean {
  const body: unknown = Array.isArray(value) ? value[0] : value
  if (typeof body !== 'object' || body === null) return false
  // Some vendors write that there is no error: `"error": ""`, `"error": false`.
  if ('error' in body && Boolean(body.error)) return true
  if ('error' in body || 'choices' in body) return false
  if ('object' in body && body.object === 'error') return true
  // Z.ai sends responses such as `{"code": 500, "msg": "404 NOT_FOUND", "success": false}` with status 200.
  if ('success' in body && body.success === false) return true
  return 'detail' in body || 'errors' in body || ('message' in body && typeof body.message === 'string')
}

/** The error behind a finish reason with which a vendor gives up within its answer. */
export function errorOfFinish(rawReason: string): GatewayError | undefined {
  switch (rawReason) {
    // DeepSeek: https://api-docs.deepseek.com/api/create-chat-completion
    case 'insufficient_system_resource':
      return new GatewayError('service_unavailable', 'The upstream ran out of resources during its answer.', {
        detail: rawReason,
      })
    // Mistral and OpenRouter, Z.ai, vLLM.
    case 'error':
    case 'network_error':
    case 'abort':
      return new GatewayError('upstream_error', 'The upstream failed during its answer.', {
        detail: `finish reason ${rawReason}`,
      })
    default:
      return undefined
  }
}
