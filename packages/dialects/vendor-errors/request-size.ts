import { withoutOurAccount } from './account-names.ts'
import type { VendorError } from './vendor-error.ts'

/** The size of a request by our own estimate. */
export interface RequestSize {
  inputTokens: number
  outputTokens: number
}

const words = new Set(['request_too_large', 'payload_too_large', 'request_entity_too_large'])

const tooLarge = new RegExp(
  String.raw`\b(?:request|prompt|input|message|payload|body) (?:is |was |size |body )?(?:is )?` +
    String.raw`too (?:large|big|long)\b|` +
    String.raw`\bsingle request\b[^.;]{0,40}\b(?:may|can|must|should) ?not\b[^.;]{0,40}\bexceed`,
  'i',
)

/**
 * A number as vendors write it: `30000`, `30,000`, `1_000`, `40k`, `1.2M`. Not part of a name, as in
 * `gpt-4o`, nor a number of seconds, requests or times.
 */
const otherUnits =
  'ms|millisec\\w*|s|secs?|seconds?|min|minutes?|hours?|days?|times|requests?|calls?|messages?|' +
  'images?|concurrent|connections?|RPM|RPS|RPD'
const number =
  String.raw`(?<![\w-])(\d{1,3}(?:[,_]\d{3})+|\d+(?:\.\d+)?)([km]?)(?![\w-]|[.,_]\d)` +
  String.raw`(?! *(?:${otherUnits})\b)`
/** `Limit 30000, Requested 41234`; `limit of 20,000`; `can only afford 1200`. */
const limits = new RegExp(
  String.raw`\b(?:limit|quota|maximum|max|afford|allowed)\b[^\d]{0,40}?${number}`,
  'gi',
)
const asks = [
  new RegExp(String.raw`\brequested\b(?! (?:model|at|by|on)\b)[^\d.]{0,24}?${number}`, 'gi'),
  new RegExp(
    String.raw`\brequest (?:(?:would|will|may) )?(?:needs?|requires?|uses?|has|contains|is|of|size|with)\b` +
      String.raw`[^\d.]{0,24}?${number}`,
    'gi',
  ),
  new RegExp(String.raw`${number} (?:\w+ )?tokens? (?:were |was )?requested\b`, 'gi'),
  // `Input tokens 45000 exceeds`, `The input token count (1200000) exceeds`, `tokens in request: 41234`.
  new RegExp(String.raw`\b(?:input|prompt|request) tokens?(?: count| length)?[ :=(]{1,3}${number}`, 'gi'),
  new RegExp(
    String.raw`\b(?:tokens in (?:the |your |this )?(?:request|prompt|input)|this request|yours)` +
      String.raw`[ :=(]{1,3}${number}`,
    'gi',
  ),
]
/** `Prompt tokens limit exceeded: 230799 > 91442`. A total of all requests does not match. */
const compared = new RegExp(
  String.raw`\b(?:prompt|input|request(?:ed)?)\b(?: [a-z]+){0,4}:? ` +
    String.raw`${number}(?: tokens)? > (?:limit )?${number}`,
  'i',
)
/** A limit on the number of requests, whatever their size. */
const ofRequests = /\brequests? (?:limit|per|rate|quota)|\bRP[MSD]\b|\bconcurren|\btoo many requests\b/i
const ofTokens = /token|\bTP[MD]\b/i

/**
 * Whether an error is about this one request, because it alone exceeds an account's limit (OpenAI's "Request
 * too large … Limit 30000, Requested 41234") or the vendor's. Other requests would be answered, so only its
 * sender should get the error. Under 402 the limit is what the account's credit still covers (OpenRouter). A
 * limit of 0 does not count: no request would be answered.
 */
export function isRequestTooLarge(
  status: number,
  error: VendorError,
  size: RequestSize | undefined,
): boolean {
  if (status === 413) return true
  if (status !== 429 && status !== 402) return false
  if (error.words.some((word) => words.has(word))) return true
  // The name of an organization may contain numbers, right between the limit and its value.
  const message = withoutOurAccount(error.message ?? '')
  if (status === 429 && tooLarge.test(message)) return true
  if (status === 429 && ofRequests.test(message) && !ofTokens.test(message)) return false
  return (
    asksMoreThanLimit(message) || (status === 429 && size !== undefined && isBeyond(error, message, size))
  )
}

/** Words about size, in a message whose numbers do not show that the limit is for all requests together. */
const sizes = /token|prompt|input|length|size|large|\blong|\bbig|reduce|\bfit|context|TPM/i

/** `Used 28039`, `current: 32041`: the total of all recent requests. */
const usedUp = new RegExp(String.raw`\b(?:used|current|remaining)\b[^\d.]{0,12}?(\d[\d,_]*)`, 'i')

/** Whether the error may be due to this request's size, so that other requests might be answered. */
export function mayBeOfSize(error: VendorError, size: RequestSize | undefined): boolean {
  const { message = '', quotas = [] } = error
  const cleaned = withoutOurAccount(message)
  const requested = Math.max(...asks.flatMap((pattern) => valuesOf(pattern, cleaned)))
  const limit = Math.max(...valuesOf(limits, cleaned))
  if (requested >= 0 && limit >= requested) return false
  if (usedUp.test(cleaned) || (size !== undefined && isFarBelow(error, cleaned, size))) return false
  return sizes.test(cleaned) || quotas.some(({ metric }) => sizes.test(metric))
}

function asksMoreThanLimit(message: string): boolean {
  const pair = compared.exec(message)
  if (pair !== null && isMore(valueOf(pair[1]!, pair[2]!), valueOf(pair[3]!, pair[4]!))) return true
  return isMore(
    Math.max(...asks.flatMap((pattern) => valuesOf(pattern, message))),
    Math.max(...valuesOf(limits, message)),
  )
}

/** `-Infinity` stands for no value. */
function isMore(requested: number, limit: number): boolean {
  return limit > 0 && requested > limit
}

/** `rate limit of 20,000 input tokens per minute`, `…/generate_content_input_token_count, limit: 250000`. */
const tokenLimits = [
  new RegExp(String.raw`\blimit\b[^\d]{0,60}?${number} (?:\w+ )?tokens\b`, 'gi'),
  new RegExp(String.raw`\b\w*tokens?_(?:count|per_\w+)[^\d]{0,12}limit:? ${number}`, 'gi'),
]

/** If a vendor names its limit, but not the size of the request: compares our own estimate. */
function isBeyond(error: VendorError, message: string, size: RequestSize): boolean {
  return tokenLimitsOf(error, message).some(({ kind, limit }) => isMore(tokensOf(size, kind), limit))
}

/** A request of at least half the limit may still exceed it by itself, since our estimate is not exact. */
function isFarBelow(error: VendorError, message: string, size: RequestSize): boolean {
  const found = tokenLimitsOf(error, message)
  return (
    found.length > 0 && found.every(({ kind, limit }) => limit === 0 || tokensOf(size, kind) * 2 <= limit)
  )
}

/** What is counted, and how many tokens of it are allowed. */
function tokenLimitsOf({ quotas = [] }: VendorError, message: string): { kind: string; limit: number }[] {
  const named = quotas
    .filter(({ metric }) => /token/i.test(metric))
    .map(({ metric, value }) => ({ kind: metric, limit: value }))
  const written = tokenLimits.flatMap((pattern) =>
    Array.from(message.matchAll(pattern), ([kind, digits, unit]) => ({
      kind,
      limit: valueOf(digits!, unit!),
    })),
  )
  return [...named, ...written]
}

function tokensOf({ inputTokens, outputTokens }: RequestSize, kind: string): number {
  if (/input|prompt/i.test(kind)) return inputTokens
  return /output|completion/i.test(kind) ? outputTokens : inputTokens + outputTokens
}

function valuesOf(pattern: RegExp, message: string): number[] {
  return Array.from(message.matchAll(pattern), ([, digits, unit]) => valueOf(digits!, unit!))
}

function valueOf(digits: string, unit: string): number {
  const factors: Record<string, number> = { k: 1_000, m: 1_000_000 }
  return Number(digits.replaceAll(/[,_]/g, '')) * (factors[unit.toLowerCase()] ?? 1)
}
