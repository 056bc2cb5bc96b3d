import { isUtf8 } from 'node:buffer'
import { scanObject, withoutDuplicates, type Member, type ObjectScan } from '@turnpike/dialects'
import { invalidRequest } from '@turnpike/protocol'
import { scanWithinBounds, requireFewLevels, type JsonBounds } from '../body/bounded-json.ts'
import { loneSurrogatePath } from '../body/lone-surrogate.ts'
import type { Received } from '../context/stages.ts'

/**
 * Limits on a body's JSON. A tool's schema nests a few dozen levels at most, and no real request has more
 * values. A body of 32 MiB could hold ten million values, and parsing them would block the event loop for
 * seconds.
 */
const bounds: JsonBounds = { values: 500_000, members: 1_000, levels: 200 }

/** A body that is a JSON object. */
export interface JsonBody {
  /** The bytes, without duplicate members. */
  body: Buffer
  /** Where its outermost members are in the bytes. */
  members: readonly Member[]
  /** What the scan of the original body found. */
  scan: ObjectScan
  /** The original body as text. */
  text: string
  value: object
}

/**
 * Reserves memory for the body's values, and parses it.
 * @throws {GatewayError} 400 if it is not a JSON object, or holds too much; 503 without memory for it
 */
export function readJson({ exchange, format }: Received, sent: Buffer): JsonBody {
  const scan = scanWithinBounds(sent, bounds, format.names)
  exchange.keepValues(scan.values)
  const text = textOf(sent)
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest(undefined, `The body: expected ${format.bodyExpected}.`)
  const { members } = scan
  const single = Object.keys(value).length === members.length ? undefined : withoutDuplicates(sent, members)
  return single === undefined
    ? { body: sent, members, scan, text, value }
    : { body: single, members: scanObject(single).members, scan, text, value }
}

/**
 * Rejects JSON that a vendor might read in another way, or not at all.
 * @throws {GatewayError} 400 naming the field
 */
export function requireReadable({ scan, text, value }: JsonBody): void {
  requireFewLevels(scan, bounds)
  requireWholeCharacters(text, value)
  requireOneReading(scan)
}

/**
 * Rejects ambiguous members. JSON readers differ: some ignore the case of names, some take the first of two
 * members with one name. A vendor could therefore read another request than the one that was checked and held
 * for.
 */
function requireOneReading({ ambiguous }: ObjectScan): void {
  if (ambiguous === undefined) return
  const { path, name } = ambiguous
  const mistake =
    name === undefined ? 'this field is given twice' : `expected this field to be spelled "${name}"`
  throw invalidRequest(path, `${path}: ${mistake}.`)
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
    throw invalidRequest(undefined, `The body is not valid JSON: ${shortenMessage((error as Error).message)}`)
  }
}

/** The engine's message quotes the text around the mistake. Keeps enough of it to find the place. */
function shortenMessage(message: string): string {
  return message.length > 200 ? `${message.slice(0, 200)}…` : message
}

/** An unpaired surrogate can only come from an escape, so a text without escapes need not be searched. */
function requireWholeCharacters(text: string, value: unknown): void {
  if (!text.includes('\\ud') && !text.includes('\\uD')) return
  const path = loneSurrogatePath(value)
  if (path === undefined) return
  const mistake = 'expected valid Unicode, got an unpaired surrogate.'
  if (path === '') throw invalidRequest(undefined, `A field name: ${mistake}`)
  throw invalidRequest(path, `${path}: ${mistake}`)
}
