import { isObject } from '../json/object.ts'
import { tokenCount } from '../answers/token-count.ts'
import { fieldPath } from '../json/explain.ts'

/** What a vendor says of an error, whatever shape it says it in. */
export interface VendorError {
  message?: string
  /** Path of the field that it blames. */
  param?: string
  /** HTTP status that it names in the body, as gateways do behind a status of 200. */
  status?: number
  /** Its own words for the kind of error, lower-case: `code`, `type` and `status` as far as they are text. */
  words: string[]
  /** Limits that it names apart from its message; absent: none. */
  quotas?: Quota[]
}

/** A limit in Google's `QuotaFailure`: what is counted, and how many of it. */
export interface Quota {
  metric: string
  value: number
}

/** Longest message of a vendor that is passed on. */
const maxMessageCharacters = 4_000

/** How deep messages are looked for within each other: OpenRouter's hold a vendor's, as JSON text. */
const maxDepth = 6

/** Text that is no JSON is a message where it is as short as a sentence, and no page of a proxy. */
const maxSentenceCharacters = 1_000

/** An answer's body, of any format and length. */
export function readVendorError(text: string): VendorError {
  const value = parseObject(text)
  if (value !== undefined) return vendorErrorIn(value)
  const sentence = text.trim()
  const isSentence = sentence !== '' && sentence.length <= maxSentenceCharacters && !sentence.startsWith('<')
  return { words: [], ...(isSentence ? { message: sentence } : {}) }
}

export function vendorErrorIn(value: unknown): VendorError {
  const body: unknown = Array.isArray(value) ? value[0] : value
  if (!isObject(body)) return { words: [] }
  const inner: unknown = Array.isArray(body['error']) ? body['error'][0] : body['error']
  const holder = isObject(inner) ? inner : body
  const found = messageIn(value, 0)
  const codes = [
    holder['code'],
    holder['status_code'],
    holder['status'],
    holder['type'],
    holder['error_type'],
  ]
  // Of some objects no number can be made.
  const numbers = codes.map((code) => (typeof code === 'object' ? Number.NaN : Number(code)))
  const status = numbers.find((code) => Number.isInteger(code) && code >= 400 && code <= 599)
  return {
    words: codes.filter((code) => typeof code === 'string').map((code) => code.toLowerCase()),
    ...(found === undefined ? {} : { message: found.message.slice(0, maxMessageCharacters) }),
    ...(status === undefined ? {} : { status }),
    ...paramOf(holder, found),
    ...quotasOf(holder['details']),
  }
}

/** https://cloud.google.com/apis/design/errors#error_payloads */
function quotasOf(details: unknown): { quotas?: Quota[] } {
  if (!Array.isArray(details)) return {}
  const quotas = details.flatMap((detail: unknown): Quota[] => {
    const violations = isObject(detail) ? detail['violations'] : undefined
    return (Array.isArray(violations) ? violations : []).filter(isObject).map((one) => ({
      metric: [one['quotaMetric'], one['quotaId']].filter((name) => typeof name === 'string').join(' '),
      value: tokenCount(one['quotaValue']) ?? 0,
    }))
  })
  return quotas.length === 0 ? {} : { quotas }
}

interface FoundMessage {
  message: string
  param?: string
}

function paramOf(holder: Record<string, unknown>, found: FoundMessage | undefined): { param?: string } {
  if (typeof holder['param'] === 'string') return { param: holder['param'] }
  return found?.param === undefined ? {} : { param: found.param }
}

/** Where vendors put a message, the more telling first. */
const messageFields = ['message', 'detail', 'error', 'errors', 'msg', 'error_msg', 'error_message']

function messageIn(value: unknown, depth: number): FoundMessage | undefined {
  if (depth > maxDepth) return undefined
  if (typeof value === 'string') return messageInText(value, depth)
  if (Array.isArray(value)) return messageInList(value, depth)
  if (!isObject(value)) return undefined
  const relayed = findRelayedText(value)
  if (relayed !== undefined) return messageIn(relayed, depth + 1)
  for (const field of messageFields) {
    const found = messageIn(value[field], depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function messageInText(text: string, depth: number): FoundMessage | undefined {
  if (text.trim() === '') return undefined
  const value = text.startsWith('{') || text.startsWith('[') ? parseObject(text) : undefined
  return (value === undefined ? undefined : messageIn(value, depth + 1)) ?? { message: text }
}

/** Several mistakes: as FastAPI lists them, with the place of each, or as plain texts. */
function messageInList(list: readonly unknown[], depth: number): FoundMessage | undefined {
  const found: FoundMessage[] = []
  for (const item of list) {
    const one = parsePydanticError(item) ?? messageIn(item, depth + 1)
    if (one !== undefined) found.push(one)
  }
  const [first] = found
  if (first === undefined) return undefined
  return { ...first, message: found.map(({ message }) => message).join('; ') }
}

/** `{"loc": ["body", "messages", 0, "user", "name"], "msg": "…"}`: pydantic's. */
function parsePydanticError(item: unknown): FoundMessage | undefined {
  if (!isObject(item) || !Array.isArray(item['loc']) || typeof item['msg'] !== 'string') return undefined
  const places = (item['loc'] as unknown[]).map(String).filter((place, at) => at > 0 || place !== 'body')
  // A role after an index is which of its message types pydantic took, and no field.
  const path = places.filter((place, at) => !(roles.has(place) && /^\d+$/.test(places[at - 1] ?? '')))
  if (path.length === 0) return { message: item['msg'] }
  const param = fieldPath(path)
  return { message: `${param}: ${item['msg']}`, param }
}

const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** OpenRouter says only that its provider failed, and beside it what the provider said. */
function findRelayedText(error: Record<string, unknown>): string | undefined {
  const metadata = error['metadata']
  if (!isObject(metadata) || typeof metadata['raw'] !== 'string' || metadata['raw'] === '') return undefined
  return metadata['raw']
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // Not JSON (a page of a proxy, a sentence, or nothing): the caller takes the text as it is.
    return undefined
  }
}
