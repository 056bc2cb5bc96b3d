import { findUnpriced } from '@turnpike/billing'
import type { Usage } from '@turnpike/protocol'
import type { Provider } from '@turnpike/vendors'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt, Held } from '../context/stages.ts'
import { asksForSearches, tierAsked } from '../operations/billed-fields.ts'

/**
 * The usage with what is known of the services that the vendor bills: its tier is the one that the answer
 * names, or else the one that was asked for; what has no price is marked, and told to the operator, who pays.
 */
export function withServices(
  usage: Usage,
  tierOfHead: string | undefined,
  attempt: Attempt,
  gateway: Gateway,
): Usage {
  const { request, candidate } = attempt
  const { provider, prices } = candidate
  const { call } = request
  const isUntold = usage.serviceTier === undefined
  const tier = isUntold ? (tierOfHead ?? tierAsked(call.request, request.format, provider)) : undefined
  const tiered = tier === undefined ? usage : { ...usage, serviceTier: tier }
  const counted = isWriteTimeUnknown(tiered, request) ? toLongCacheWrites(tiered) : tiered
  const told = findUnpriced(counted, prices)
  // Asked for, and maybe made: an answer that does not say how many is not taken for one without any.
  const isUntoldOf = counted.webSearches === undefined && asksForSearches(call.request.extensions, provider)
  if (told.length === 0 && !isUntoldOf) return counted
  const unpriced = isUntoldOf ? [...told, 'web_search'] : [...told]
  for (const service of unpriced) tellOnce(service, attempt, gateway)
  return { ...counted, unpriced }
}

/** Some tell how much they wrote to a cache, and not for how long: for an hour is the dearer. */
function isWriteTimeUnknown(
  { cacheWriteTokens, cacheWrite1hTokens }: Usage,
  { furtherInput }: Held,
): boolean {
  return (
    cacheWriteTokens !== undefined &&
    cacheWrite1hTokens === undefined &&
    furtherInput.includes('cacheWrite1hTokens')
  )
}

function toLongCacheWrites({ cacheWriteTokens, ...usage }: Usage): Usage {
  return { ...usage, cacheWrite1hTokens: cacheWriteTokens! }
}

/** A metric counts them; the log says once of each which provider it is. */
const servicesTold = new WeakMap<Provider, Set<string>>()

function tellOnce(service: string, { request, candidate }: Attempt, { log }: Gateway): void {
  const { provider, model } = candidate
  let services = servicesTold.get(provider)
  if (services === undefined) servicesTold.set(provider, (services = new Set<string>()))
  if (services.has(service)) return
  services.add(service)
  const fields = { requestId: request.record.id, provider: provider.name, model: model.id, service }
  log.warn(fields, 'a vendor billed a service that has no price here')
}
