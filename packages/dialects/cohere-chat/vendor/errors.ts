import type { GatewayError } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { decodeAnswerError } from '../../vendor-errors/decode-error.ts'

/** The error in an answer that began as a success; undefined if there is none. */
export function errorInAnswer(body: unknown, event: string): GatewayError | undefined {
  if (event === 'error') return decodeAnswerError(body)
  if (!isObject(body)) return undefined
  // `{"id": "…", "message": "…"}`: in an answer, the message is an object.
  return typeof body['message'] === 'string' || Boolean(body['error']) ? decodeAnswerError(body) : undefined
}

/** Error types in place of a finish reason, and other vendors' names for them. */
const failures: Readonly<Record<string, string>> = {
  ERROR: 'error',
  TIMEOUT: 'timeout',
  ERROR_LIMIT: 'context_length',
  USER_CANCEL: 'error',
}

/**
 * The error behind a finish reason (https://docs.cohere.com/reference/chat#response.body.finish_reason).
 * @param vendorMessage the vendor's own message, if there is one
 */
export function errorOfFinish(reason: string, vendorMessage: unknown): GatewayError | undefined {
  if (!Object.hasOwn(failures, reason)) return undefined
  const message =
    typeof vendorMessage === 'string' && vendorMessage !== ''
      ? vendorMessage
      : `The upstream ended its answer with ${reason}.`
  return decodeAnswerError({ type: failures[reason], message })
}
