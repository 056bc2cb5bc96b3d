import { operationOf, passThroughOf, type FailedAnswer, type VendorFormat } from '@turnpike/dialects'
import type { GatewayError } from '@turnpike/protocol'
import { findVendor, type Provider } from '@turnpike/vendors'
import type { Attempt } from '../context/stages.ts'
import { providerSecrets } from '../upstream/provider-secrets.ts'

/** Shorter values stand in any message by chance. */
const shortestSecret = 5

/** Of each provider, as its messages are searched for them: the configuration does not change. */
const searched = new WeakMap<Provider, readonly string[]>()

/**
 * What a vendor refused the request with, judged by its own words and by what was sent; a field of its own
 * words is named in ours.
 */
export function refusalOf(
  { request, heldOutputTokens: outputTokens }: Attempt,
  vendorFormat: VendorFormat,
  answer: Omit<FailedAnswer, 'size'>,
): GatewayError {
  const { heldInputTokens: inputTokens, format, call } = request
  const error = vendorFormat.decodeError({ ...answer, size: { inputTokens, outputTokens } })
  if (error.param === null || passThroughOf(format, vendorFormat) !== undefined) return error
  const param = operationOf(vendorFormat, format.operation).namedField?.(error.param, call.request)
  return param === undefined ? error : error.with({ param })
}

/**
 * An upstream's error as a caller may read it: some vendors and proxies repeat the credential that they were
 * called with, or the address that they are reached at.
 */
export function toldError(error: GatewayError, provider: Provider): GatewayError {
  let { message } = error
  for (const secret of secretsOf(provider)) message = message.replaceAll(secret, '[redacted]')
  return message === error.message ? error : error.with({ message })
}

function secretsOf(provider: Provider): readonly string[] {
  let secrets = searched.get(provider)
  if (secrets === undefined) {
    const known = [...providerSecrets(provider), ...ownHost(provider)]
    secrets = known.filter(({ length }) => length >= shortestSecret).toSorted((a, b) => b.length - a.length)
    searched.set(provider, secrets)
  }
  return secrets
}

/** An address that is the vendor's for everybody is no secret. */
function ownHost({ baseUrl, vendor }: Provider): string[] {
  if (vendor !== undefined && findVendor(vendor)?.baseUrl === baseUrl) return []
  const { host, hostname } = new URL(baseUrl)
  return [host, hostname]
}
