import { addMarkup } from '@turnpike/billing'
import { callerFormats, vendorFormats } from '@turnpike/dialects'
import type { Endpoint, Operation, Pricing } from '@turnpike/protocol'
import type { CatalogModel, ModelUpstream } from '@turnpike/vendors'
import { autoModelOf, profileOf } from '../auto/profile.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { UpstreamHealth } from '../candidates/health/upstream-health.ts'
import type { Gateway } from '../context/gateway.ts'

/** A provider that serves a model, as callers may know it: neither its keys nor its addresses. */
export interface ModelOffer {
  provider: string
  /** Markup included. */
  pricing: Pricing
  /** Whose callers are passed on byte by byte there; those of the others are translated. */
  nativeEndpoints: Endpoint[]
  /** `resting`: nothing is sent to it for a while. Null: this node has not heard enough of it. */
  state: 'working' | 'resting' | null
}

export interface ModelOffers {
  /** Its identifier, whatever name it was asked for by. */
  model: string
  /** By which APIs it can be asked. */
  endpoints: Endpoint[]
  /** In the order in which they are asked. */
  offers: ModelOffer[]
  /** What it may be answered by where nobody of them answers. */
  fallbacks: readonly string[]
  /** Of auto-routing: what it may choose from, with the tiers of each. Empty: it is a model. */
  choices: { model: string; tiers: readonly string[] }[]
}

type Offering = Pick<Gateway, 'auto' | 'catalog' | 'candidates'>

/** Whom a provider rests for is told to nobody but them: this one asks for nothing. */
const anybody = ''

/**
 * Who serves a model, side by side; undefined for a name that no model has, or one that cannot be called.
 * @param accountId who asks; by default somebody who has none
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

/** Of all keys together: it works as long as one of them does. */
function stateOf(healths: readonly UpstreamHealth[], accountId: string): ModelOffer['state'] {
  const nowMs = performance.now()
  const awake = healths.filter((health) => health.state(nowMs, accountId) === 'closed')
  if (awake.length === 0) return 'resting'
  return awake.some(({ answers }) => answers > 0) ? 'working' : null
}
