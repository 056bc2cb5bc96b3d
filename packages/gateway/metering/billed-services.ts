import { findUnpriced } from '@turnpike/billing'
import type { Usage } from '@turnpike/protocol'
import type { Provider } from '@turnpike/vendors'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt, Held } from '../context/stages.ts'
import { asksForSearches, tierAsked } from '../operations/billed-fields.ts'

/**
 * Adds to the usage what is known about services billed by the vendor. The tier is the one that the answer
 * names, otherwise the requested one. Services without a price are marked, and reported to the operator, who
 * pays for them.
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
  const isTierUnreported = usage.serviceTier === undefined
  const tier = isTierUnreported
    ? (tierOfHead ?? tierAsked(call.request, request.format, provider))
    : undefined
  const tiered = tier === undefined ? usage : { ...usage, serviceTier: tier }
  const counted = isWriteTimeUnknown(tiered, request) ? toLongCacheWrites(tiered) : tiered
  const unpricedUsage = findUnpriced(counted, prices)
  // The caller requested searches, and the answer does not say how many there were: do not assume none.
  const areSearchesUnreported =
    counted.webSearches === undefined && asksForSearches(call.request.extensions, provider)
  if (unpricedUsage.length === 0 && !areSearchesUnreported) return counted
  const unpriced = areSearchesUnreported ? [...unpricedUsage, 'web_search'] : [...unpricedUsage]
  for (const service of unpriced) logOnce(service, attempt, gateway)
  return { ...counted, unpriced }
}

/** Some vendors report cache writes without their lifetime; one hour is the more expensive. */
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

/** Services already logged for each provider. The log names each once; a metric counts all. */
const loggedServices = new WeakMap<Provider, Set<string>>()

function logOnce(service: string, { request, candidate }: Attempt, { log }: Gateway): void {
  const { provider, model } = candidate
  let services = loggedServices.get(provider)
  if (services === undefined) loggedServices.set(provider, (services = new Set<string>()))
  if (services.has(service)) return
  services.add(service)
  const fields = { requestId: request.record.id, provider: provider.name, model: model.id, service }
  log.warn(fields, 'a vendor billed a service that has no price here')
}
