import type { GatewayError } from '@turnpike/protocol'
import { decodeAnswerError } from '../../vendor-errors/decode-error.ts'

/**
 * The error of an event `error`, whose members stand in it or in its `error`, or of a response that failed
 * (https://platform.openai.com/docs/api-reference/responses-streaming/error).
 */
export function errorInAnswer(holder: Record<string, unknown>): GatewayError {
  const { error } = holder
  if (typeof error === 'object' && error !== null) return decodeAnswerError({ error })
  const { code, message, param } = holder
  return decodeAnswerError({ error: { code, message, param } })
}
