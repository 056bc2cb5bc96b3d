import { isUtf8 } from 'node:buffer'
import type { CallerFormat } from '@turnpike/dialects'
import { invalidRequest } from '@turnpike/protocol'
import type { Exchange } from '../context/exchange.ts'
import type { Parsed } from '../context/stages.ts'

const maxTags = 20
const maxTagCodePoints = 64

/**
 * Collects the tags of the header and of `metadata.tags`: trimmed, without empty ones and duplicates, then
 * counted and measured (docs/contract.md, 5.3).
 * @throws {GatewayError} 400 for more than 20 tags, a tag over 64 characters, or one that cannot be stored
 */
export function readTags(request: Parsed): Parsed {
  const { exchange, format, call, record } = request
  const header = exchange.header('x-turnpike-tags')
  if (call.tags.length > 0) record.tags = tagsOf(header, call.tags)
  else if (header !== undefined) record.tags = read.get(header) ?? parseHeader(header)
  if (format.attribution !== undefined) record.tags = withAttribution(record.tags, exchange, format)
  return request
}

/**
 * Appends tags made from the client's own headers. The caller did not write these, so one that breaks the
 * rules, or exceeds the limit, is left out.
 */
function withAttribution(
  tags: readonly string[],
  exchange: Exchange,
  { attribution = [] }: Pick<CallerFormat, 'attribution'>,
): string[] {
  const all = [...tags]
  for (const { header, prefix } of attribution) {
    const value = exchange.header(header)
    if (value === undefined || value.length > maxTagCodePoints) continue
    const tag = prefix + value.trim()
    const fits = tag.length > prefix.length && tag.length <= maxTagCodePoints && ascii.test(tag)
    if (fits && all.length < maxTags && !all.includes(tag)) all.push(tag)
  }
  return all
}

/** Tags of headers seen before: most requests of a caller carry the same header. */
const read = new Map<string, string[]>()
const mostRead = 1_000
const longestRead = 256

function parseHeader(header: string): string[] {
  const tags = tagsOf(header, [])
  if (read.size >= mostRead) read.clear()
  if (header.length <= longestRead) read.set(header, tags)
  return tags
}

function tagsOf(header: string | undefined, bodyTags: readonly string[]): string[] {
  const fromHeader = piecesOf(header)
  if (!fromHeader.every((piece) => piece !== undefined)) {
    throw invalidRequest('x-turnpike-tags', 'x-turnpike-tags: expected UTF-8.')
  }
  const ofHeader = distinct(fromHeader)
  const ofBody = distinct(bodyTags)
  const tags = ofBody.length === 0 ? ofHeader : distinct([...ofHeader, ...ofBody])
  const param = bodyTags.length > 0 ? 'metadata.tags' : 'x-turnpike-tags'
  if (tags.length > maxTags) {
    throw invalidRequest(param, `${param}: expected at most ${maxTags} tags, got ${tags.length}.`)
  }
  for (const tag of ofHeader) requireTag(tag, 'x-turnpike-tags')
  for (const tag of ofBody) requireTag(tag, 'metadata.tags')
  return tags
}

/** The tags of a request that was rejected before they were read: those that can be read and stored. */
export function tagsOfRefused(
  exchange: Exchange,
  format: Pick<CallerFormat, 'attribution'>,
  bodyTags: readonly string[],
): string[] {
  const pieces = piecesOf(exchange.header('x-turnpike-tags')).filter((piece) => piece !== undefined)
  return withAttribution(recordableTags([...pieces, ...bodyTags]), exchange, format)
}

/** Undefined for a piece that is not UTF-8. */
function piecesOf(header: string | undefined): (string | undefined)[] {
  if (header === undefined) return []
  const pieces = header.split(',')
  return ascii.test(header) ? pieces : pieces.map(decodeUtf8)
}

// oxlint-disable-next-line no-control-regex
const ascii = /^[\x00-\x7f]*$/

/** Node reads header bytes as latin1; ours are UTF-8. */
function decodeUtf8(piece: string): string | undefined {
  if (ascii.test(piece)) return piece
  const bytes = Buffer.from(piece, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined
}

/** The tags that follow the rules. */
function recordableTags(tags: readonly string[]): string[] {
  return distinct(tags.filter((tag) => mistakeOf(tag.trim()) === undefined)).slice(0, maxTags)
}

function distinct(tags: readonly string[]): string[] {
  if (tags.length === 0) return []
  const kept = new Set<string>()
  for (const tag of tags) {
    const trimmed = tag.trim()
    if (trimmed !== '') kept.add(trimmed)
  }
  return [...kept]
}

function requireTag(tag: string, param: string): void {
  const mistake = mistakeOf(tag)
  if (mistake !== undefined) throw invalidRequest(param, `${param}: ${mistake}.`)
}

/** A code point takes at most two UTF-16 units, so most long texts need not be split. */
function isLonger(tag: string): boolean {
  return tag.length > 2 * maxTagCodePoints || Array.from(tag).length > maxTagCodePoints
}

function mistakeOf(tag: string): string | undefined {
  if (tag.length > maxTagCodePoints && isLonger(tag)) {
    return `expected tags of at most ${maxTagCodePoints} characters, got "${tag.slice(0, 32)}…"`
  }
  // PostgreSQL's text type holds every character but NUL, and no unpaired surrogates.
  if (tag.includes('\0')) return 'expected tags without NUL characters'
  return tag.isWellFormed() ? undefined : 'expected tags of valid Unicode'
}
