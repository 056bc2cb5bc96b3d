import type { GatewayError } from '@turnpike/protocol'
import { decodeAnswerError } from '../../vendor-errors/decode-error.ts'

/**
 * The error of a failed response, or of an `error` event, whose members are either in the event or in its
 * `error` (https://platform.openai.com/docs/api-reference/responses-streaming/error).
 */
export function errorInAnswer(holder: Record<string, unknown>): GatewayError {
  const { error } = holder
  if (typeof error === 'object' && error !== null) return decodeAnswerError({ error })
  const { code, message, param } = holder
  return decodeAnswerError({ error: { code, message, param } })
}
