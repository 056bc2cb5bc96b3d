import type { AddressedTo, NamedItem } from '@turnpike/dialects'
import { GatewayError } from '@turnpike/protocol'
import { requirePlainBody } from '../body/plain-body.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Authenticated, Parsed } from '../context/stages.ts'
import { continueConversation } from './continue-conversation.ts'
import { readJson, requireReadable, type JsonBody } from './json-body.ts'
import { announcedBytes, findBodyLimit } from './limit-body.ts'
import { tagsOfRefused } from './read-tags.ts'
import { resolveItems } from './resolve-items.ts'

/**
 * Reads the body and translates it into a `Call`. If it continues a kept answer, or refers to items of kept
 * answers, these become part of the body. Returns no promise if the body has arrived, as most have.
 * @throws {GatewayError} 400 naming the field, 408, 413, 415
 */
export function parseRequest(request: Authenticated, gateway: Gateway): Parsed | Promise<Parsed> {
  const { exchange, format } = request
  format.requireHeaders?.(exchange)
  requireJson(exchange.header('content-type'))
  requirePlainBody(exchange.header('content-encoding'))
  const announced = announcedBytes(request)
  const most = findBodyLimit(request, announced, gateway)
  const body =
    typeof most === 'number' ? exchange.readBody(most) : most.then((bytes) => exchange.readBody(bytes))
  return body instanceof Promise
    ? body.then((arrived) => parseBody(request, arrived, gateway))
    : parseBody(request, body, gateway)
}

function parseBody(request: Authenticated, body: Buffer, gateway: Gateway): Parsed | Promise<Parsed> {
  const { exchange, format } = request
  if (exchange.header('content-length') === undefined) gateway.limiter.weigh(request.key, body.length)
  const json = readJson(request, body)
  const to = format.parseAddress?.(exchange.path)
  recordModel(request, to ?? json.value)
  try {
    requireReadable(json)
    const keptFormat = gateway.kept === undefined ? undefined : format.kept
    const previous = keptFormat?.previousOf(json.value)
    const named = keptFormat?.itemsNamed(json.value) ?? []
    if (named.length === 0 && previous === undefined) return applyBody(request, json, to, gateway)
    return addKept(request, json, { named, previous }, gateway)
      .then((whole) => applyBody(request, whole, to, gateway))
      .catch((error: unknown) => throwWithTags(error, request, json))
  } catch (error) {
    return throwWithTags(error, request, json)
  }
}

/** Adds kept items, and the conversation that the body continues. */
async function addKept(
  request: Authenticated,
  json: JsonBody,
  { named, previous }: { named: readonly NamedItem[]; previous: string | undefined },
  gateway: Gateway,
): Promise<JsonBody> {
  const whole = named.length > 0 ? await resolveItems(request, named, json, gateway) : json
  return previous === undefined ? whole : continueConversation(request, previous, whole, gateway)
}

/** The row of a rejected request has its tags, too. */
function throwWithTags(error: unknown, request: Authenticated, { value }: JsonBody): never {
  request.record.tags = tagsOfRefused(request.exchange, request.format, tagsInBody(value))
  throw error
}

function applyBody(
  request: Authenticated,
  { body, members, value }: JsonBody,
  to: AddressedTo | undefined,
  { kept }: Gateway,
): Parsed {
  const parsed = request as Parsed
  const { format } = request
  const keeping = kept === undefined ? undefined : { previousId: parsed.continued?.id }
  const call = format.parse(value, to, keeping)
  parsed.call = call
  parsed.body = body
  parsed.members = members
  if (kept === undefined || format.kept === undefined || call.keepsAnswer !== true) return parsed
  const input = format.kept.inputOf({ body, members })
  if (input.length <= kept.maxAnswerBytes) parsed.keptInput = input
  return parsed
}

function requireJson(contentType: string | undefined): void {
  if (contentType === 'application/json') return
  if (contentType !== undefined && /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType)) return
  throw new GatewayError('invalid_request_error', 'The Content-Type must be application/json.', {
    status: 415,
    param: 'content-type',
  })
}

/** Fields that the request's row keeps even if the body is rejected. */
function recordModel(request: Authenticated, value: object): void {
  const { model, stream } = value as { model?: unknown; stream?: unknown }
  if (typeof model === 'string') request.record.modelAsked = model.slice(0, 256)
  request.record.stream = stream === true
}

function tagsInBody(value: { metadata?: unknown }): string[] {
  const metadata = value.metadata as { tags?: unknown } | null | undefined
  const tags: unknown[] = Array.isArray(metadata?.tags) ? metadata.tags : []
  return tags.filter((tag) => typeof tag === 'string')
}
