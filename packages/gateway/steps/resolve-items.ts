import type { NamedItem } from '@turnpike/dialects'
import { invalidRequest, type GatewayError } from '@turnpike/protocol'
import type { Gateway } from '../context/gateway.ts'
import type { Authenticated } from '../context/stages.ts'
import { FoundItems, tooLong } from '../kept/found-items.ts'
import { readJson, requireReadable, type JsonBody } from './json-body.ts'
import { findBodyLimit } from './limit-body.ts'

/** Each item may belong to another answer. */
const mostItems = 1_000

/**
 * Replaces references to items of kept answers by the items, as if the caller had sent them. All are loaded
 * in one query, and only requests with such references query the database.
 * @throws {GatewayError} 400 unknown item, 402 if the key can pay for nothing, 413, 503
 */
export async function resolveItems(
  request: Authenticated,
  named: readonly NamedItem[],
  sent: JsonBody,
  gateway: Gateway,
): Promise<JsonBody> {
  const { exchange, key } = request
  const format = request.format.kept!
  const bound = findBodyLimit(request, undefined, gateway)
  const most = typeof bound === 'number' ? bound : await bound
  const ids = new Set(named.map(({ id }) => id))
  if (ids.size > mostItems)
    throw invalidRequest('input', `input: expected at most ${mostItems} items that are referenced by id.`)
  const found = new FoundItems(ids, format, most)
  await gateway.kept!.findItems(key, found, exchange)
  let bytes = 0
  for (const one of named) {
    const text = found.texts.get(one.id)
    if (text === undefined || found.ambiguous.has(one.id)) throw unknownItem(one, text !== undefined)
    bytes += Buffer.byteLength(text)
    if (sent.body.length + bytes > most) throw tooLong
  }
  const body = format.withItems(sent, named, found.texts)
  gateway.limiter.weigh(key, bytes)
  exchange.releaseValues()
  const whole = readJson(request, body)
  requireReadable(whole)
  return whole
}

function unknownItem({ id, param }: NamedItem, isAmbiguous: boolean): GatewayError {
  const shown = id.length > 100 ? `${id.slice(0, 100)}…` : id
  const reason = isAmbiguous
    ? `several stored items have the id '${shown}'`
    : `Item with id '${shown}' not found. Its response was not stored, was deleted, or has expired`
  return invalidRequest(param, `${param}: ${reason}. Send the item itself.`)
}
