import type { GatewayError } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { decodeAnswerError } from '../../vendor-errors/decode-error.ts'

/** The error that came within an answer which began as a success; undefined where there is none. */
export function errorInAnswer(body: unknown, event: string): GatewayError | undefined {
  if (event === 'error') return decodeAnswerError(body)
  if (!isObject(body)) return undefined
  // `{"id": "…", "message": "…"}`: the message of an answer is an object.
  return typeof body['message'] === 'string' || Boolean(body['error']) ? decodeAnswerError(body) : undefined
}

/** Kinds of errors that stand where the reason for the end does, in words that others have for them. */
const failures: Readonly<Record<string, string>> = {
  ERROR: 'error',
  TIMEOUT: 'timeout',
  ERROR_LIMIT: 'context_length',
  USER_CANCEL: 'error',
}

/**
 * An end that is none (https://docs.cohere.com/reference/chat#response.body.finish_reason).
 * @param told the vendor's own words for it, if there are any
 */
export function errorOfFinish(reason: string, told: unknown): GatewayError | undefined {
  if (!Object.hasOwn(failures, reason)) return undefined
  const message =
    typeof told === 'string' && told !== '' ? told : `The upstream ended its answer with ${reason}.`
  return decodeAnswerError({ type: failures[reason], message })
}
