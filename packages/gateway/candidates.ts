import type { PriceTable } from '@turnpike/billing'
import type { CatalogModel, ModelUpstream, Provider } from '@turnpike/vendors'

/** Whom a request may be sent to: an upstream of a model, with one of its provider's keys. */
export interface Candidate {
  model: CatalogModel
  /** All zero for a model that the configuration says is free. */
  prices: PriceTable
  upstream: ModelUpstream
  provider: Provider
  /** Undefined where the server wants none. */
  apiKey: string | undefined
}

/** What candidates are made of: belongs to one state of the configuration's models and prices. */
export interface CandidateSources {
  /** By model id; a model without an entry is not callable. */
  prices: ReadonlyMap<string, PriceTable>
  /** By name. */
  providers: ReadonlyMap<string, Provider>
}

/**
 * The candidates of a model in the order in which they are tried: each upstream with each of its provider's
 * keys. Empty where no provider of it is configured, or it has no price. A catalog's own models are thought
 * through once: requests share the list.
 */
export class CandidateBook {
  readonly #sources: CandidateSources
  readonly #byModel = new WeakMap<CatalogModel, readonly Candidate[]>()

  constructor(sources: CandidateSources) {
    this.#sources = sources
  }

  of(model: CatalogModel): readonly Candidate[] {
    let candidates = this.#byModel.get(model)
    if (candidates === undefined) {
      candidates = candidatesOf(model, this.#sources)
      this.#byModel.set(model, candidates)
    }
    return candidates
  }
}

function candidatesOf(model: CatalogModel, { prices, providers }: CandidateSources): Candidate[] {
  const table = prices.get(model.id)
  if (table === undefined) return []
  return model.upstreams.flatMap((upstream) => {
    const provider = providers.get(upstream.provider)
    if (provider === undefined) return []
    const keys = provider.apiKeys.length === 0 ? [undefined] : provider.apiKeys
    return keys.map((apiKey) => ({ model, prices: table, upstream, provider, apiKey }))
  })
}
