import { addMarkup } from '@turnpike/billing'
import type { Pricing } from '@turnpike/protocol'
import type { CatalogModel, ModelUpstream, Provider, RegionalPrices } from '@turnpike/vendors'

/**
 * The model with each of its upstreams in each region of its provider. A region whose price is not known is
 * none of them: nobody is charged there what the vendor asks elsewhere (docs/contract.md, 4.6). What the
 * operator says of a price holds in all of them.
 * @param models of the catalog, by identifier: what an upstream costs is theirs where it is one of them
 */
export function inRegions(
  model: CatalogModel,
  providers: ReadonlyMap<string, Provider>,
  models: ReadonlyMap<string, CatalogModel>,
): CatalogModel {
  const upstreams = model.upstreams.flatMap((upstream) => {
    const provider = providers.get(upstream.provider)
    if (provider?.region === undefined) return isPriced(upstream, model, models) ? [upstream] : []
    return regionsOf(upstream, provider).flatMap((region) => upstreamIn(region, upstream, model, models))
  })
  if (isSame(upstreams, model.upstreams)) return model
  // Nobody serves it where a price is known.
  if (upstreams.length === 0) return { ...model, pricing: undefined }
  const [first] = upstreams
  // Callers are told one price: that of whom is asked first.
  const pricing = first!.region === undefined ? model.pricing : (first!.pricing ?? model.pricing)
  return { ...model, upstreams, pricing }
}

function isSame(some: readonly ModelUpstream[], others: readonly ModelUpstream[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index])
}

/** Whether a price holds that is known in some regions alone: nobody knows in which one this upstream is. */
function isPriced(
  upstream: ModelUpstream,
  model: CatalogModel,
  models: ReadonlyMap<string, CatalogModel>,
): boolean {
  return regionalOf(upstream, model, models)?.regional.known === undefined
}

/** The price whose regions are listed; undefined: it is the operator's, or holds everywhere. */
function regionalOf(
  upstream: ModelUpstream,
  model: CatalogModel,
  models: ReadonlyMap<string, CatalogModel>,
): { pricing: Pricing; regional: RegionalPrices } | undefined {
  const known = models.get(`${upstream.provider}/${upstream.model}`)
  if (upstream.pricing !== undefined && upstream.pricing !== known?.pricing) return undefined
  const { pricing, regional } = upstream.pricing === undefined ? model : known!
  return pricing === undefined || regional === undefined ? undefined : { pricing, regional }
}

/** The one that the operator names, or all of them. */
function regionsOf({ region }: ModelUpstream, provider: Provider): string[] {
  if (region !== undefined) return [region]
  return (provider.regions ?? [provider]).flatMap((one) => one.region ?? [])
}

function upstreamIn(
  region: string,
  upstream: ModelUpstream,
  model: CatalogModel,
  models: ReadonlyMap<string, CatalogModel>,
): ModelUpstream[] {
  const found = regionalOf(upstream, model, models)
  if (found === undefined) return [{ ...upstream, region }]
  const { pricing, regional } = found
  const { known: priced, factor } = regional
  if (priced !== undefined && !priced.includes(region)) return []
  if (factor === undefined || factor.except.includes(region)) return [{ ...upstream, region }]
  return [{ ...upstream, region, pricing: multiplyPricing(pricing, factor.by) }]
}

/** By the price itself, which is another object after each refresh: its table is compiled once. */
const products = new WeakMap<Pricing, Map<string, Pricing>>()

function multiplyPricing(pricing: Pricing, factor: string): Pricing {
  let ofPricing = products.get(pricing)
  if (ofPricing === undefined) products.set(pricing, (ofPricing = new Map<string, Pricing>()))
  let product = ofPricing.get(factor)
  if (product === undefined) ofPricing.set(factor, (product = addMarkup({ pricing, markup: factor })))
  return product
}
