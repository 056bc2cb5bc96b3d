import { operationOf, passThroughOf, type FailedAnswer, type VendorFormat } from '@turnpike/dialects'
import type { GatewayError } from '@turnpike/protocol'
import { findVendor, type Provider } from '@turnpike/vendors'
import type { Candidate } from '../candidates/candidate.ts'
import type { Attempt } from '../context/stages.ts'
import { providerSecrets } from '../upstream/provider-secrets.ts'

/** Shorter values stand in any message by chance. */
const shortestSecret = 5
/** Of a secret that was cut. What is shorter tells nothing of it. */
const shortestPart = 8
const redacted = '[redacted]'

/** Of each provider, as its messages are searched for them: the configuration does not change. */
const searched = new WeakMap<Provider, readonly string[]>()

/**
 * What a vendor refused the request with, judged by its own words and by what was sent; a field of its own
 * words is named in ours.
 */
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

/**
 * An upstream's error as a caller may read it: some vendors and proxies repeat the credential that they were
 * called with, or the address that they are reached at.
 */
export function redactError(
  error: GatewayError,
  { provider, credential }: Pick<Candidate, 'provider' | 'credential'>,
): GatewayError {
  let { message, detail } = error
  // What was minted is another one each time; errors are few.
  for (const secret of longestFirst(credential.secrets().flatMap(formsOf))) {
    message = without(message, secret)
    // For the log, which knows the operator's secrets alone.
    detail = detail === undefined ? undefined : without(detail, secret)
  }
  for (const secret of secretsOf(provider)) message = message.replaceAll(secret, redacted)
  return message === error.message && detail === error.detail
    ? error
    : error.with({ message, ...(detail !== undefined && { detail }) })
}

/** As it is, and as it stands within JSON, which the detail is a part of. */
function formsOf(secret: string): string[] {
  const quoted = JSON.stringify(secret).slice(1, -1)
  return quoted === secret ? [secret] : [secret, quoted]
}

/** Texts are cut where they are long, and a cut may go through a secret: its beginning goes as well. */
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

/** An address that is the vendor's for everybody is no secret. */
function ownHost({ baseUrl, vendor }: Provider): string[] {
  if (vendor !== undefined && findVendor(vendor)?.baseUrl === baseUrl) return []
  const { host, hostname } = new URL(baseUrl)
  return [host, hostname]
}
