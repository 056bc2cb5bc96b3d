import { withoutOurAccount } from './account-names.ts'
import type { VendorError } from './vendor-error.ts'

/** What a request comes to, by our own estimate. */
export interface RequestSize {
  inputTokens: number
  outputTokens: number
}

const words = new Set(['request_too_large', 'payload_too_large', 'request_entity_too_large'])

const tooLarge = /\brequest (?:is |was |body )?(?:is )?too (?:large|big|long)\b|\bsingle request\b.*\bexceed/i

/** As vendors write it: `30000`, `30,000`, `1_000`, `40k`. Part of a name, as in `gpt-4o`, it is none. */
const number = String.raw`(?<![\w-])(\d{1,3}(?:[,_]\d{3})+|\d+)(?:\.\d+)?(k?)(?![\w-]|\.\d)`
/** `Limit 30000, Requested 41234`; `limit of 20,000`; `can only afford 1200`. */
const limits = new RegExp(String.raw`\b(?:limit|quota|maximum|max|afford)\b[^\d]{0,40}?${number}`, 'gi')
const asks = [
  new RegExp(String.raw`\brequested\b[^\d.]{0,24}?${number}`, 'gi'),
  new RegExp(
    String.raw`\brequest (?:needs|requires|uses|has|contains|is|of|size)\b[^\d.]{0,24}?${number}`,
    'gi',
  ),
  new RegExp(String.raw`${number} (?:\w+ )?tokens? (?:were |was )?requested\b`, 'gi'),
]
/** `Prompt tokens limit exceeded: 230799 > 91442`. */
const compared = new RegExp(`${number}(?: tokens)? > ${number}`, 'i')

/**
 * Whether a refusal is about this one request, since it alone is more than an account's limit (OpenAI's
 * "Request too large … Limit 30000, Requested 41234") or than the vendor takes at all. Another one would be
 * answered, so that nobody but who sent it is to wait. Under 402 it is what the account's credit still covers
 * (OpenRouter). A limit of 0 is of nobody's size: nothing is answered there.
 */
export function isRequestTooLarge(status: number, said: VendorError, size: RequestSize | undefined): boolean {
  if (status === 413) return true
  if (status !== 429 && status !== 402) return false
  if (said.words.some((word) => words.has(word))) return true
  // The name of an organization may hold numbers, right between the limit and its own.
  const message = withoutOurAccount(said.message ?? '')
  if (status === 429 && tooLarge.test(message)) return true
  return asksMoreThanLimit(message) || (status === 429 && size !== undefined && isBeyond(said, message, size))
}

/** Words of size, where no numbers say that the limit is one of all requests together. */
const sizes = /token|prompt|input|length|size|large|\blong|\bbig|reduce|\bfit|context|TPM/i

/** Whether another request might be answered where this one met a limit, for all that is said. */
export function mayBeOfSize({ message = '', quotas = [] }: VendorError): boolean {
  const told = withoutOurAccount(message)
  const asked = Math.max(...asks.flatMap((pattern) => valuesOf(pattern, told)))
  const limit = Math.max(...valuesOf(limits, told))
  if (asked >= 0 && limit > asked) return false
  return sizes.test(told) || quotas.some(({ metric }) => sizes.test(metric))
}

function asksMoreThanLimit(message: string): boolean {
  const pair = compared.exec(message)
  if (pair !== null && isMore(valueOf(pair[1]!, pair[2]!), valueOf(pair[3]!, pair[4]!))) return true
  return isMore(
    Math.max(...asks.flatMap((pattern) => valuesOf(pattern, message))),
    Math.max(...valuesOf(limits, message)),
  )
}

/** Of none `-Infinity`. */
function isMore(asked: number, limit: number): boolean {
  return limit > 0 && asked > limit
}

/** `rate limit of 20,000 input tokens per minute`, `…/generate_content_input_token_count, limit: 250000`. */
const tokenLimits = [
  new RegExp(String.raw`\blimit\b[^\d]{0,60}?${number} (?:\w+ )?tokens\b`, 'gi'),
  new RegExp(String.raw`\b\w*tokens?_(?:count|per_\w+)[^\d]{0,12}limit:? ${number}`, 'gi'),
]

/** Where a vendor names its limit, but not what was asked for: by what we reckon the request to be. */
function isBeyond({ quotas = [] }: VendorError, message: string, size: RequestSize): boolean {
  for (const { metric, value } of quotas)
    if (/token/i.test(metric) && isMore(tokensOf(size, metric), value)) return true
  for (const pattern of tokenLimits)
    for (const [limit, digits, thousands] of message.matchAll(pattern))
      if (isMore(tokensOf(size, limit), valueOf(digits!, thousands!))) return true
  return false
}

function tokensOf({ inputTokens, outputTokens }: RequestSize, kind: string): number {
  if (/input|prompt/i.test(kind)) return inputTokens
  return /output|completion/i.test(kind) ? outputTokens : inputTokens + outputTokens
}

function valuesOf(pattern: RegExp, message: string): number[] {
  return Array.from(message.matchAll(pattern), ([, digits, thousands]) => valueOf(digits!, thousands!))
}

function valueOf(digits: string, thousands: string): number {
  return Number(digits.replaceAll(/[,_]/g, '')) * (thousands === '' ? 1 : 1_000)
}
