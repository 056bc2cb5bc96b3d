import type { FailedAnswer } from '@turnpike/dialects'
import type { GatewayError } from '@turnpike/protocol'
import { findVendor, type Provider } from '@turnpike/vendors'
import type { Attempt } from '../context/stages.ts'
import { providerSecrets } from '../upstream/provider-secrets.ts'

/** Shorter values stand in any message by chance. */
const shortestSecret = 5

/** Of each provider, as its messages are searched for them: the configuration does not change. */
const searched = new WeakMap<Provider, readonly string[]>()

/** What a vendor's refusal is judged by, besides its own words. */
export function refusedCall(
  { request, heldOutputTokens: outputTokens }: Attempt,
  answer: Omit<FailedAnswer, 'size'>,
): FailedAnswer {
  const { heldInputTokens: inputTokens } = request
  return { ...answer, size: { inputTokens, outputTokens } }
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
