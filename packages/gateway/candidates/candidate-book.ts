import { compilePricing, type PriceTable } from '@turnpike/billing'
import { vendorFormats, type FormatName, type ServedOperation } from '@turnpike/dialects'
import type { Operation, Pricing } from '@turnpike/protocol'
import {
  calledIn,
  type CallTimeouts,
  type CatalogModel,
  type ModelUpstream,
  type Provider,
} from '@turnpike/vendors'
import type { Candidate } from './candidate.ts'
import type { HealthBook } from './health/health-book.ts'

/** What candidates are made of: belongs to one state of the configuration's models and prices. */
export interface CandidateSources {
  /** By model id; a model without an entry is only callable where its upstreams have prices. */
  prices: ReadonlyMap<string, PriceTable>
  /** By name. */
  providers: ReadonlyMap<string, Provider>
  /** The operator's factor on every price, a decimal string. */
  markup: string
  health: HealthBook
}

/**
 * The candidates of a model as the configuration lists them: each upstream with each of its provider's keys.
 * Empty where no provider of it is configured, or it has no price. A catalog's own models are thought through
 * once: requests share the list.
 */
export class CandidateBook {
  readonly #sources: CandidateSources
  readonly #byModel = new WeakMap<CatalogModel, readonly Candidate[]>()
  /** A dated version of a model is a new object each time; its upstreams' prices are not. */
  readonly #tables = new WeakMap<Pricing, PriceTable>()

  constructor(sources: CandidateSources) {
    this.#sources = sources
  }

  of(model: CatalogModel): readonly Candidate[] {
    let candidates = this.#byModel.get(model)
    if (candidates === undefined) {
      candidates = model.upstreams.flatMap((upstream) => this.#candidatesOf(model, upstream))
      this.#byModel.set(model, candidates)
    }
    return candidates
  }

  #candidatesOf(model: CatalogModel, upstream: ModelUpstream): Candidate[] {
    const { health } = this.#sources
    const provider = this.#calledFor(upstream)
    const prices = this.#pricesOf(model, upstream)
    if (provider === undefined || prices === undefined) return []
    const timeouts = timeoutsOf(provider, model)
    const made = (apiKey: string | undefined, key: number | null): Candidate => {
      const one: Candidate = {
        model,
        prices,
        upstream,
        provider,
        apiKey,
        health: health.of(provider, upstream, key),
        timeouts,
      }
      const reached =
        provider.inFormat === undefined ? one : { ...one, inFormat: inFormats(one, provider.inFormat) }
      return withOperations(reached, upstream)
    }
    if (provider.apiKeys.length === 0) return [made(undefined, null)]
    return provider.apiKeys.map((apiKey, index) => made(apiKey, index + 1))
  }

  /** The provider in the formats that the upstream's model speaks there. */
  #calledFor({ provider: name, formats }: ModelUpstream): Provider | undefined {
    const provider = this.#sources.providers.get(name)
    if (provider === undefined || formats === undefined) return provider
    return calledIn(provider, formats)
  }

  #pricesOf(model: CatalogModel, { pricing }: ModelUpstream): PriceTable | undefined {
    if (pricing === undefined) return this.#sources.prices.get(model.id)
    let table = this.#tables.get(pricing)
    if (table === undefined) {
      table = compilePricing(pricing, this.#sources.markup)
      this.#tables.set(pricing, table)
    }
    return table
  }
}

/** What is said of the model itself goes before all else. */
function timeoutsOf({ timeouts: usual }: Provider, { patience, timeouts: own }: CatalogModel): CallTimeouts {
  if (patience === undefined && own === undefined) return usual
  const raised = Object.entries(patience ?? {}).map(([name, ms]) => [
    name,
    Math.max(ms, usual[name as keyof CallTimeouts]),
  ])
  return { ...usual, ...Object.fromEntries(raised), ...own }
}

/** Beside the operation of its usual format, those of the model that have one of their own there. */
function withOperations(candidate: Candidate, { formats }: ModelUpstream): Candidate {
  const { model, provider } = candidate
  const asking: Partial<Record<ServedOperation, Candidate>> = {}
  for (const operation of model.operations) {
    const other = providerFor(provider, operation, formats)
    if (other !== undefined) asking[operation as ServedOperation] = { ...candidate, provider: other }
  }
  return Object.keys(asking).length === 0 ? candidate : { ...candidate, asking }
}

/** Undefined where its usual format serves the operation, or none that it is known to speak does. */
function providerFor(
  provider: Provider,
  operation: Operation,
  formats: readonly FormatName[] = Object.keys(provider.spoken ?? {}) as FormatName[],
): Provider | undefined {
  const serves = (format: FormatName): boolean =>
    vendorFormats[format].operations[operation as ServedOperation] !== undefined
  if (serves(provider.format)) return undefined
  const format = formats.find(serves)
  return format === undefined ? undefined : provider.spoken?.[format]
}

function inFormats(
  candidate: Candidate,
  providers: NonNullable<Provider['inFormat']>,
): NonNullable<Candidate['inFormat']> {
  return Object.fromEntries(
    Object.entries(providers).map(([format, provider]) => [format, { ...candidate, provider }]),
  )
}
