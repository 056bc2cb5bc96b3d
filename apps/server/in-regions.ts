import { addMarkup } from '@turnpike/billing'
import type { Pricing } from '@turnpike/protocol'
import type { CatalogModel, ModelUpstream, Provider, RegionalPrices } from '@turnpike/vendors'

/**
 * Expands each upstream of the model into the regions of its provider. Leaves out regions whose price is not
 * known, so that no caller is charged the price of another region (docs/contract.md, 4.6). A price that the
 * operator sets holds in all regions.
 * @param models the catalog's models by identifier; an upstream that is one of them has its prices
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
  // No upstream is left in a region with a known price.
  if (upstreams.length === 0) return { ...model, pricing: undefined }
  const [first] = upstreams
  // The API shows callers one price: that of the first upstream.
  const pricing = first!.region === undefined ? model.pricing : (first!.pricing ?? model.pricing)
  return { ...model, upstreams, pricing }
}

function isSame(some: readonly ModelUpstream[], others: readonly ModelUpstream[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index])
}

/**
 * Whether the upstream has a price. A price that is known for some regions only does not count if the
 * upstream's region is not known.
 */
function isPriced(
  upstream: ModelUpstream,
  model: CatalogModel,
  models: ReadonlyMap<string, CatalogModel>,
): boolean {
  return regionalOf(upstream, model, models)?.regional.known === undefined
}

/** The price with its list of regions; undefined if the operator set the price, or if it holds everywhere. */
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

/** The region that the operator names, or all of the provider's. */
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

/** Keyed by the price object, which a refresh replaces, so that each price table is compiled once. */
const products = new WeakMap<Pricing, Map<string, Pricing>>()

function multiplyPricing(pricing: Pricing, factor: string): Pricing {
  let ofPricing = products.get(pricing)
  if (ofPricing === undefined) products.set(pricing, (ofPricing = new Map<string, Pricing>()))
  let product = ofPricing.get(factor)
  if (product === undefined) ofPricing.set(factor, (product = addMarkup({ pricing, markup: factor })))
  return product
}
