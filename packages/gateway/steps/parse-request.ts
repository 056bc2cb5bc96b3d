import { isUtf8 } from 'node:buffer'
import { scanObject, withoutDuplicates, type AddressedTo, type ObjectScan } from '@turnpike/dialects'
import { GatewayError, invalidRequest } from '@turnpike/protocol'
import { boundedScan, requireFewLevels, type JsonBounds } from '../body/bounded-json.ts'
import { loneSurrogatePath } from '../body/lone-surrogate.ts'
import { requirePlainBody } from '../body/plain-body.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Authenticated, Parsed } from '../context/stages.ts'
import { announcedBytes, bodyBound } from './limit-body.ts'
import { tagsOfRefused } from './read-tags.ts'

/**
 * A schema of a tool nests a few dozen levels at most, and more values than this are no request either, while
 * a body of 32 MiB could hold ten million of them: to parse them would stop the event loop for seconds.
 */
const bounds: JsonBounds = { values: 500_000, members: 1_000, levels: 200 }

/**
 * Reads the body and says it in our words.
 * @throws {GatewayError} 400 naming the field, 408, 413, 415
 */
export async function parseRequest(request: Authenticated, gateway: Gateway): Promise<Parsed> {
  const { exchange, format } = request
  format.requireHeaders?.(exchange)
  requireJson(exchange.header('content-type'))
  requirePlainBody(request.exchange.header('content-encoding'))
  const announced = announcedBytes(request)
  const most = bodyBound(request, announced, gateway)
  const body = await request.exchange.readBody(typeof most === 'number' ? most : await most)
  if (announced === undefined) gateway.limiter.weigh(request.key, body.length)
  const scan = boundedScan(body, bounds, request.format.names)
  request.exchange.keepValues(scan.values)
  const text = textOf(body)
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest(undefined, `The body: expected ${request.format.bodyExpected}.`)
  }
  const to = request.format.readAddress?.(request.exchange.path)
  noteWhatIsKnown(request, to ?? value)
  try {
    return understand(request, { body, scan, text, value }, to)
  } catch (error) {
    request.record.tags = tagsOfRefused(request.exchange, request.format, toldTags(value))
    throw error
  }
}

/** A body as bytes, what a walk over them found, as text, and what it says. */
interface JsonBody {
  body: Buffer
  scan: ObjectScan
  text: string
  value: object
}

function understand(
  request: Authenticated,
  { body, scan, text, value }: JsonBody,
  to: AddressedTo | undefined,
): Parsed {
  const { members } = scan
  requireFewLevels(scan, bounds)
  requireWholeCharacters(text, value)
  requireOneReading(scan)
  const call = request.format.parse(value, to)
  const single = Object.keys(value).length === members.length ? undefined : withoutDuplicates(body, members)
  const parsed = request as Parsed
  parsed.call = call
  parsed.body = single ?? body
  parsed.members = single === undefined ? members : scanObject(single).members
  return parsed
}

/**
 * Readers of JSON differ: some do not mind a name's case, some take the first of two members of one name.
 * What a vendor might read otherwise than we do is refused, since it would be another request than the one
 * that was checked and held for.
 */
function requireOneReading({ ambiguous }: ObjectScan): void {
  if (ambiguous === undefined) return
  const { path, name } = ambiguous
  const mistake =
    name === undefined ? 'expected once, got it twice' : `expected the name to be written "${name}"`
  throw invalidRequest(path, `${path}: ${mistake}.`)
}

function requireJson(contentType: string | undefined): void {
  if (contentType === 'application/json') return
  if (contentType !== undefined && /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(contentType)) return
  throw new GatewayError('invalid_request_error', 'The Content-Type must be application/json.', {
    status: 415,
    param: 'content-type',
  })
}

function textOf(body: Buffer): string {
  if (body.length === 0) throw invalidRequest(undefined, 'The body is empty: expected a JSON object.')
  if (!isUtf8(body)) throw invalidRequest(undefined, 'The body is not valid UTF-8.')
  return body.toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalidRequest(undefined, `The body is not valid JSON: ${shortened((error as Error).message)}`)
  }
}

/** The engine's message quotes the text around the mistake; enough of it to find the place. */
function shortened(message: string): string {
  return message.length > 200 ? `${message.slice(0, 200)}…` : message
}

/** Half a surrogate pair can only come from an escape: without one the values need not be searched. */
function requireWholeCharacters(text: string, value: unknown): void {
  if (!text.includes('\\ud') && !text.includes('\\uD')) return
  const path = loneSurrogatePath(value)
  if (path === undefined) return
  const mistake = 'expected well-formed Unicode, got half a surrogate pair.'
  if (path === '') throw invalidRequest(undefined, `The name of a field: ${mistake}`)
  throw invalidRequest(path, `${path}: ${mistake}`)
}

/** What the request's row can say even if the body is refused. */
function noteWhatIsKnown(request: Authenticated, value: object): void {
  const { model, stream } = value as { model?: unknown; stream?: unknown }
  if (typeof model === 'string') request.record.modelAsked = model.slice(0, 256)
  request.record.stream = stream === true
}

/** A refused call is recorded with its tags, too. */
function toldTags(value: { metadata?: unknown }): string[] {
  const metadata = value.metadata as { tags?: unknown } | null | undefined
  const told: unknown[] = Array.isArray(metadata?.tags) ? metadata.tags : []
  return told.filter((tag) => typeof tag === 'string')
}
