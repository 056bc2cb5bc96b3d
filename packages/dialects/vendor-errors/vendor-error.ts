import { isObject } from '../json/object.ts'
import { tokenCount } from '../answers/token-count.ts'
import { fieldPath } from '../json/explain.ts'

/** What a vendor's error says, read from any of the shapes that vendors use. */
export interface VendorError {
  message?: string
  /** Path of the field at fault. */
  param?: string
  /** HTTP status from the body, for gateways that send errors with a status of 200. */
  status?: number
  /** The vendor's error types, in lower case: `code`, `type` and `status` if they are strings. */
  words: string[]
  /** Limits that the error has outside its message. Absent: none. */
  quotas?: Quota[]
}

/** A limit in Google's `QuotaFailure`: the metric and its value. */
export interface Quota {
  metric: string
  value: number
}

/** Longest vendor message that is passed on. */
const maxMessageCharacters = 4_000

/** How many levels of nested messages are searched. OpenRouter's contain a vendor's as JSON text. */
const maxDepth = 6

/** Text that is not JSON is used as a message if it is no longer than this, and not a proxy's page. */
const maxSentenceCharacters = 1_000

/** Reads an error from a response body of any format and length. */
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
  // Some objects cannot be converted to a number.
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

/** Where vendors put a message, the more specific fields first. */
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

/** Several mistakes: FastAPI lists each with its location, others list plain texts. */
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
  // A role after an index is the message type that pydantic chose, not a field.
  const path = places.filter((place, at) => !(roles.has(place) && /^\d+$/.test(places[at - 1] ?? '')))
  if (path.length === 0) return { message: item['msg'] }
  const param = fieldPath(path)
  return { message: `${param}: ${item['msg']}`, param }
}

const roles = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** OpenRouter's message only says that its provider failed. The provider's message is beside it. */
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
    // Not JSON (a proxy's page, a sentence, or nothing): the caller uses the text as it is.
    return undefined
  }
}
