import type { ErrorType, GatewayError } from '@turnpike/protocol'

/** Anthropic's error types, and the status of each: https://platform.claude.com/docs/en/api/errors. */
const words: Record<ErrorType, { type: string; status?: number }> = {
  invalid_request_error: { type: 'invalid_request_error' },
  authentication_error: { type: 'authentication_error' },
  insufficient_quota: { type: 'billing_error' },
  permission_error: { type: 'permission_error' },
  not_found_error: { type: 'not_found_error' },
  conflict_error: { type: 'invalid_request_error' },
  request_too_large: { type: 'request_too_large' },
  rate_limit_error: { type: 'rate_limit_error' },
  client_closed_request: { type: 'api_error' },
  api_error: { type: 'api_error' },
  upstream_error: { type: 'api_error' },
  service_unavailable: { type: 'overloaded_error', status: 529 },
  upstream_timeout: { type: 'timeout_error' },
}

/** The status that a caller of Messages gets. */
export function errorStatus({ type, status }: GatewayError): number {
  return words[type].status ?? status
}

/** The body of an error, and the data of an `error` event. `param` and `metadata` are ours. */
export function formatError(error: GatewayError, requestId: string): object {
  const { type } = words[error.type]
  const message = error.reason === 'context-too-long' ? promptTooLong(error.message) : error.message
  const param = error.param === null ? {} : { param: error.param }
  const details = error.details === undefined ? {} : { details: error.details }
  const metadata = error.metadata === undefined ? {} : { metadata: error.metadata }
  return { type: 'error', error: { type, message, ...param, ...details, ...metadata }, request_id: requestId }
}

const number = /\d[\d,_.]*\d|\d/g
/** The limit in a vendor's message, before or after the word for it. */
const mostBefore = /(\d[\d,_]*\d) (?:tokens )?maximum\b/i
const mostBehind =
  /(?:\b(?:maximum|limit|allowed|up to|at most|context (?:length|window|size))|<=)\D{0,40}?(\d[\d,_]*\d)/i
/** The smallest number that can be a context length, so that no status or index is taken for one. */
const leastContext = 1_000
/** Anthropic's own sentences, which its clients understand unchanged. */
const own = [
  /prompt is too long: \d+ tokens > \d+ maximum/i,
  /input length and `max_tokens` exceed context limit: \d+ \+ \d+ > \d+/i,
]

/**
 * Claude Code reads the two numbers of this sentence and shortens the conversation. Other vendors have
 * sentences of their own, some with the parts of which the prompt consists.
 */
function promptTooLong(message: string): string {
  if (own.some((sentence) => sentence.test(message))) return message
  const numbers = Array.from(message.matchAll(number), ([text]) => tokensOf(text))
  const tokens = [...new Set(numbers.filter((one) => one >= leastContext))].toSorted((a, b) => b - a)
  const limitText = mostBefore.exec(message)?.[1] ?? mostBehind.exec(message)?.[1]
  const most = limitText === undefined ? tokens[1] : tokensOf(limitText)
  const askedTokens = most === undefined ? undefined : findAskedTokens(tokens, most)
  if (askedTokens === undefined) return `prompt is too long: ${message}`
  return `prompt is too long: ${askedTokens} tokens > ${most} maximum`
}

/** The largest number is the request's size. If none exceeds the limit, input and output together do. */
function findAskedTokens(tokens: readonly number[], most: number): number | undefined {
  const [largest = 0] = tokens
  if (largest > most) return largest
  const parts = tokens.filter((one) => one !== most)
  const sum = parts.reduce((before, one) => before + one, 0)
  return parts.length === 2 && sum > most ? sum : undefined
}

function tokensOf(text: string): number {
  return Number(text.replaceAll(/[,_.]/g, ''))
}
