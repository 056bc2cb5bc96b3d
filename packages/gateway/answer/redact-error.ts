import { operationOf, passThroughOf, type FailedAnswer, type VendorFormat } from '@turnpike/dialects'
import type { GatewayError } from '@turnpike/protocol'
import { findVendor, type Provider } from '@turnpike/vendors'
import type { Candidate } from '../candidates/candidate.ts'
import type { Attempt } from '../context/stages.ts'
import { providerSecrets } from '../upstream/provider-secrets.ts'

/** Shorter values occur in messages by chance. */
const shortestSecret = 5
/** The shortest beginning of a truncated secret to redact: less than that reveals nothing. */
const shortestPart = 8
const redacted = '[redacted]'

/** The secrets of each provider, computed once: the configuration does not change. */
const searched = new WeakMap<Provider, readonly string[]>()

/** The vendor's error, by its response and the request's size; names the caller's field, not the vendor's. */
export function refusalOf(
  attempt: Attempt,
  vendorFormat: VendorFormat,
  answer: Omit<FailedAnswer, 'size'>,
): GatewayError {
  const { request, heldOutputTokens: outputTokens } = attempt
  const { heldInputTokens: inputTokens, format, call } = request
  attempt.failedHead = { errorType: answer.errorType, date: answer.date }
  const error = vendorFormat.decodeError({ ...answer, size: { inputTokens, outputTokens } })
  if (error.param === null || passThroughOf(format, vendorFormat) !== undefined) return error
  const param = operationOf(vendorFormat, format.operation).mapErrorField?.(error.param, call.request)
  return param === undefined ? error : error.with({ param })
}

/** Redacts an upstream's error: some repeat the credential that they were called with, or their address. */
export function redactError(
  error: GatewayError,
  { provider, credential }: Pick<Candidate, 'provider' | 'credential'>,
): GatewayError {
  let { message, detail } = error
  // Not cached: a minted credential differs each time, and errors are rare.
  for (const secret of longestFirst(credential.secrets().flatMap(formsOf))) {
    message = without(message, secret)
    // The log redacts only the operator's own secrets by itself.
    detail = detail === undefined ? undefined : without(detail, secret)
  }
  for (const secret of secretsOf(provider)) message = message.replaceAll(secret, redacted)
  return message === error.message && detail === error.detail
    ? error
    : error.with({ message, ...(detail !== undefined && { detail }) })
}

/** The secret itself, and its escaped form within JSON, which the detail contains. */
function formsOf(secret: string): string[] {
  const quoted = JSON.stringify(secret).slice(1, -1)
  return quoted === secret ? [secret] : [secret, quoted]
}

/** Also redacts the beginning of a secret at the end of a text that was truncated. */
function without(text: string, secret: string): string {
  const clean = text.replaceAll(secret, redacted)
  for (let length = Math.min(secret.length - 1, clean.length); length >= shortestPart; length--)
    if (clean.endsWith(secret.slice(0, length))) return clean.slice(0, -length) + redacted
  return clean
}

function secretsOf(provider: Provider): readonly string[] {
  let secrets = searched.get(provider)
  if (secrets === undefined) {
    secrets = longestFirst([...providerSecrets(provider), ...ownHost(provider)])
    searched.set(provider, secrets)
  }
  return secrets
}

function longestFirst(secrets: readonly string[]): string[] {
  return secrets.filter(({ length }) => length >= shortestSecret).toSorted((a, b) => b.length - a.length)
}

/** The vendor's public address is no secret. */
function ownHost({ baseUrl, vendor }: Provider): string[] {
  if (vendor !== undefined && findVendor(vendor)?.baseUrl === baseUrl) return []
  const { host, hostname } = new URL(baseUrl)
  return [host, hostname]
}
