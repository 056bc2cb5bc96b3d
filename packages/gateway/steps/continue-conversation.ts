import { GatewayError, invalidRequest } from '@turnpike/protocol'
import type { Gateway } from '../context/gateway.ts'
import type { Authenticated, Parsed } from '../context/stages.ts'
import { readJson, requireReadable, type JsonBody } from './json-body.ts'
import { findBodyLimit } from './limit-body.ts'

/**
 * Rebuilds the body with the conversation that the kept answer ended, as if the caller had sent all of it.
 * Limits, the hold and the vendor see the rebuilt body only. The only step that may query the database, and
 * only for requests like this: one read, since each answer is kept with its whole conversation.
 * @throws {GatewayError} 400 unknown answer, 402 if the key can pay for nothing, 413, 503
 */
export async function continueConversation(
  request: Authenticated,
  previousId: string,
  sent: JsonBody,
  gateway: Gateway,
): Promise<JsonBody> {
  const { exchange, format, key } = request
  const { previousField } = format.kept!
  const bound = findBodyLimit(request, undefined, gateway)
  const most = typeof bound === 'number' ? bound : await bound
  const kept = isId(previousId, format.idPrefix)
    ? await gateway.kept?.find(key, previousId, exchange)
    : undefined
  if (kept === undefined) throw unknownAnswer(previousField, previousId)
  if (kept.answer.length + kept.input.length + sent.body.length > most) throw tooLong(previousField, most)
  const body = format.kept!.continueFrom(sent, kept)
  gateway.limiter.weigh(key, kept.input.length)
  exchange.releaseValues()
  const bodies = { own: sent.value, whole: sent.value }
  ;(request as Parsed).continued = { id: previousId, bodies }
  const whole = readJson(request, body)
  bodies.whole = whole.value
  requireReadable(whole)
  return whole
}

/** Whether the text looks like an answer's identifier. */
export function isId(id: string, prefix: string): boolean {
  return id.startsWith(prefix) && id.length <= 100 && !id.includes('/')
}

function unknownAnswer(field: string, id: string): GatewayError {
  const shown = id.length > 100 ? `${id.slice(0, 100)}…` : id
  return invalidRequest(
    field,
    `${field}: Previous response with id '${shown}' not found. It was not stored, was deleted, or has ` +
      'expired. Send the whole conversation as input.',
  )
}

function tooLong(field: string, most: number): GatewayError {
  const message =
    `${field}: together with the conversation before it the request is longer than ${most} bytes. ` +
    'Send a shorter conversation as input.'
  return new GatewayError('request_too_large', message, { param: field })
}
