import { GatewayError, type ErrorType, type UpstreamReason } from '@turnpike/protocol'
import { withoutOurAccount } from './account-names.ts'
import { isAccountEmpty, isContentRefused, isKeyRefused, isProofRefused } from './blame.ts'
import { isContextTooLong } from './context-length.ts'
import { isRequestTooLarge, mayBeOfSize, type RequestSize } from './request-size.ts'
import { readVendorError, vendorErrorIn, type VendorError } from './vendor-error.ts'

const maxDetailCharacters = 1_000

/** What errors need from a response. */
export interface FailedAnswer {
  status: number
  retryAfter: string | undefined
  /** The vendor's time of the response: the `date` header, unchanged. */
  date?: string | undefined
  /** The body as text, of any length and format. */
  body: string
  /** The error type from a header, such as AWS's `x-amzn-errortype`. */
  errorType?: string | undefined
  /** The size of the request: some vendors only name the limit that it exceeded. */
  size?: RequestSize
}

/** Converts a vendor's response that is not a success to the caller's error (docs/contract.md, 2). */
export function decodeVendorError(answer: FailedAnswer): GatewayError {
  const { status, body } = answer
  const vendorError = readVendorError(body)
  const detail = `upstream status ${status}: ${body.slice(0, maxDetailCharacters)}`
  if (isRequestTooLarge(status, vendorError, answer.size)) return requestTooLarge(status, vendorError, detail)
  return errorOfStatus(status, vendorError, detail, answer)
}

/** The error that a vendor sent within an answer that began as a success. */
export function decodeAnswerError(body: unknown): GatewayError {
  const vendorError = vendorErrorIn(body)
  const detail = JSON.stringify(body).slice(0, maxDetailCharacters)
  const status = vendorError.status ?? statusOfWords(vendorError.words)
  if (status !== undefined && isRequestTooLarge(status, vendorError, undefined))
    return requestTooLarge(status, vendorError, detail)
  if (status !== undefined && status < 500) return errorOfStatus(status, vendorError, detail)
  if (status === 503 || status === 504 || status === 529) return errorOfStatus(status, vendorError, detail)
  const message = withoutOurAccount(
    vendorError.message ?? 'The upstream reported an error during its answer.',
  )
  return new GatewayError('upstream_error', message, { detail })
}

/** The status for vendors' error types, if the error has no status of its own. */
const statusWords: [RegExp, number][] = [
  [/insufficient_(quota|balance)|exceeded_current_quota|^arrearage$|^1113$/, 402],
  // Cerebras has a type for each of its limits, Z.ai a number.
  [/rate_?limit|too_many_(requests|tokens)|quota_exceeded|resource_exhausted|^130[235]$/, 429],
  [/overloaded/, 529],
  [/unavailable|capacity/, 503],
  [/timeout|timed_out|deadline/, 504],
  [/authentication|invalid_api_key|unauthorized/, 401],
  // The last two are what Alibaba and Z.ai send for content that they object to, often the answer's own.
  [/invalid_request|invalid_argument|context_length|content_(policy|filter)|data_inspection|^1301$/, 400],
]

function statusOfWords(words: readonly string[]): number | undefined {
  const found = statusWords.find(([pattern]) => words.some((word) => pattern.test(word)))
  return found?.[1]
}

/** The request exceeds a limit per minute by itself, so it would exceed it in the next minute, too. */
const pointlessWaitSeconds = 60
/** SDKs do not retry a 429 with this header (`_shouldRetry` in OpenAI's and Anthropic's). */
const noRetry = { 'x-should-retry': 'false' }

/**
 * Another candidate may accept the request, and no cooldown starts. If none does, waiting does not help, but
 * a 429 must have a `Retry-After` (docs/contract.md, 2).
 */
function requestTooLarge(status: number, vendorError: VendorError, detail: string): GatewayError {
  const common = { detail, reason: 'request-too-large', headers: noRetry } as const
  const waits = { retryAfterSeconds: pointlessWaitSeconds }
  if (status === 402) return new GatewayError('service_unavailable', ourQuota, { ...common, ...waits })
  const message = messageOf(status, vendorError)
  if (status === 429) return new GatewayError('rate_limit_error', message, { ...common, ...waits })
  return new GatewayError('request_too_large', message, { ...common, ...paramOf(vendorError) })
}

function messageOf(status: number, { message }: VendorError): string {
  return withoutOurAccount(message ?? `The upstream returned status ${status}.`)
}

/** The message if the gateway's credential is at fault. */
const ourCredential = "The upstream rejected the gateway's own credential."
const ourQuota = 'The upstream has no quota left for the gateway.'

/** The error for a status from the response or its body. `retryAfter` is the header, unchanged. */
function errorOfStatus(
  status: number,
  vendorError: VendorError,
  detail: string,
  { retryAfter, size }: Pick<FailedAnswer, 'size'> & { retryAfter?: string | undefined } = {},
): GatewayError {
  const message = messageOf(status, vendorError)
  const waits = waitOf(retryAfter)
  if (isAccountEmpty(status, vendorError))
    return new GatewayError('service_unavailable', ourQuota, { detail, ...waits, reason: 'out-of-quota' })
  if (isKeyRefused(status, vendorError))
    return new GatewayError('upstream_error', ourCredential, { detail, reason: 'key-refused' })
  if (status === 403 && !isContentRefused(vendorError))
    return new GatewayError('upstream_error', ourCredential, { detail, reason: 'not-permitted' })
  if (status === 429) {
    const mayBeOwn = mayBeOfSize(vendorError, size)
    return new GatewayError('rate_limit_error', message, {
      detail,
      ...waits,
      reason: 'rate-limited',
      mayBeOwn,
    })
  }
  if (status === 408 || status === 504)
    return new GatewayError('upstream_timeout', 'The upstream did not respond in time.', { detail })
  // 498 is Groq's "Flex Tier Capacity Exceeded" (https://console.groq.com/docs/errors).
  if (status === 503 || status === 529 || status === 498) {
    const overloaded = 'The upstream is overloaded or temporarily down.'
    const reason = status === 503 ? {} : ({ reason: 'overloaded' } as const)
    return new GatewayError('service_unavailable', overloaded, { detail, ...waits, ...reason })
  }
  if (status >= 400 && status < 500) {
    return new GatewayError(typeOf(status), message, {
      status,
      detail,
      ...paramOf(vendorError),
      ...reasonOf(status, vendorError),
    })
  }
  return new GatewayError('upstream_error', `The upstream failed with status ${status}.`, { detail })
}

function reasonOf(status: number, vendorError: VendorError): { reason?: UpstreamReason } {
  if (isContextTooLong(status, vendorError)) return { reason: 'context-too-long' }
  return isProofRefused(status, vendorError) ? { reason: 'proof-refused' } : {}
}

function paramOf({ param }: VendorError): { param?: string } {
  return param === undefined ? {} : { param: withoutOurAccount(param) }
}

function typeOf(status: number): ErrorType {
  if (status === 404) return 'not_found_error'
  if (status === 409) return 'conflict_error'
  return status === 413 ? 'request_too_large' : 'invalid_request_error'
}

/** Empty if the vendor gives no time: any value would be a guess. */
function waitOf(retryAfter: string | undefined): { retryAfterSeconds?: number } {
  const seconds = secondsOf(retryAfter)
  return seconds === undefined ? {} : { retryAfterSeconds: seconds }
}

/** `Retry-After` in either of its forms (RFC 9110, section 10.2.3), in whole seconds, at least 1. */
function secondsOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const seconds = /^\d+(\.\d+)?$/.test(header.trim())
    ? Number(header)
    : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined
}
