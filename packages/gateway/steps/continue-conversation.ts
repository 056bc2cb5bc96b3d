import { GatewayError, invalidRequest } from '@turnpike/protocol'
import type { Gateway } from '../context/gateway.ts'
import type { Authenticated, Parsed } from '../context/stages.ts'
import { readJson, requireReadable, type JsonBody } from './json-body.ts'
import { findBodyLimit } from './limit-body.ts'

/**
 * The body with the conversation that a kept answer ended, as if its caller had sent all of it: limits, the
 * hold and the vendor see nothing else. It is the one step that may ask the database, and for such requests
 * alone. Each answer is kept with its whole conversation: it is one read, however long that is.
 * @throws {GatewayError} 400 where there is no such answer, 402 where the key can pay for nothing, 413, 503
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

/** Whether answers have such identifiers. */
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
