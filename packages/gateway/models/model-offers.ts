import { addMarkup } from '@turnpike/billing'
import { callerFormats, vendorFormats } from '@turnpike/dialects'
import type { Endpoint, Operation, Pricing } from '@turnpike/protocol'
import type { CatalogModel, ModelUpstream } from '@turnpike/vendors'
import { autoModelOf, profileOf } from '../auto/profile.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { UpstreamHealth } from '../candidates/health/upstream-health.ts'
import type { Gateway } from '../context/gateway.ts'

/** A provider that serves a model, as callers may see it: without keys and addresses. */
export interface ModelOffer {
  provider: string
  /** Includes the markup. */
  pricing: Pricing
  /** Endpoints whose requests pass through byte by byte; those of the other endpoints are translated. */
  nativeEndpoints: Endpoint[]
  /**
   * `resting`: in cooldown, so nothing is sent to it for a while. Null: this node has too few calls to say.
   */
  state: 'working' | 'resting' | null
}

export interface ModelOffers {
  /** Its identifier, whatever name the caller used. */
  model: string
  /** The endpoints that serve it. */
  endpoints: Endpoint[]
  /** In the order in which they are tried. */
  offers: ModelOffer[]
  /** Models that may answer if none of these providers does. */
  fallbacks: readonly string[]
  /** For auto-routing: the models it may choose, with the tiers of each. Empty for a model. */
  choices: { model: string; tiers: readonly string[] }[]
}

type Offering = Pick<Gateway, 'auto' | 'catalog' | 'candidates'>

/** A cooldown that affects single accounts is shown only to them. No account has this id. */
const anybody = ''

/**
 * The providers of a model, for comparison; undefined for an unknown name, or a model that cannot be called.
 * @param accountId the account to show it for; by default none
 */
export function modelOffers(gateway: Offering, name: string, accountId = anybody): ModelOffers | undefined {
  const { auto, catalog, candidates } = gateway
  const profile = profileOf(catalog.resolveAlias(name))
  if (profile !== undefined) {
    if (auto.isEmpty) return undefined
    const choices = [...auto.options].map(({ model, tiers }) => ({ model, tiers }))
    return { ...describeModel(autoModelOf(profile), ['generate']), offers: [], fallbacks: [], choices }
  }
  const model = catalog.lookUp(name)
  const all = model === undefined ? [] : candidates.of(model)
  if (model === undefined || all.length === 0) return undefined
  const byUpstream = Map.groupBy(all, ({ upstream }) => offerKeyOf(upstream))
  return {
    ...describeModel(model.id, model.operations),
    offers: [...byUpstream.values()].map((own) => offerOf(model, own, accountId)),
    fallbacks: model.fallbacks,
    choices: [],
  }
}

function describeModel(
  model: string,
  operations: readonly Operation[],
): Pick<ModelOffers, 'model' | 'endpoints'> {
  const callers = callerFormats.filter(({ operation }) => operations.includes(operation))
  return { model, endpoints: callers.map(({ endpoint }) => endpoint) }
}

/** The regions of a provider are one offer. */
function offerKeyOf(upstream: ModelUpstream): ModelUpstream | string {
  return upstream.region === undefined ? upstream : `${upstream.provider} ${upstream.model}`
}

/** @param candidates of one upstream, with each of its provider's keys */
function offerOf(model: CatalogModel, candidates: readonly Candidate[], accountId: string): ModelOffer {
  const [first] = candidates
  const { provider, prices } = first!
  return {
    provider: provider.name,
    pricing: addMarkup(prices),
    nativeEndpoints: nativeEndpoints(model, first!),
    state: stateOf(
      candidates.map(({ health }) => health),
      accountId,
    ),
  }
}

function nativeEndpoints(model: CatalogModel, candidate: Candidate): Endpoint[] {
  const providers = [candidate, ...Object.values(candidate.asking ?? {})].map(({ provider }) => provider)
  const spoken = new Set<string>(Object.keys(candidate.inFormat ?? {}))
  for (const { format } of providers) spoken.add(vendorFormats[format].callers ?? format)
  return callerFormats
    .filter(({ name, operation }) => spoken.has(name) && model.operations.includes(operation))
    .map(({ endpoint }) => endpoint)
}

/** Over all keys: an upstream works as long as one of them does. */
function stateOf(healths: readonly UpstreamHealth[], accountId: string): ModelOffer['state'] {
  const nowMs = performance.now()
  const awake = healths.filter((health) => health.state(nowMs, accountId) === 'closed')
  if (awake.length === 0) return 'resting'
  return awake.some(({ answers }) => answers > 0) ? 'working' : null
}
