import { markedUp } from '@turnpike/billing'
import type { Pricing } from '@turnpike/protocol'
import type { CatalogModel, ModelUpstream, Provider } from '@turnpike/vendors'

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
  if (!model.upstreams.some(({ provider }) => providers.get(provider)?.region !== undefined)) return model
  const upstreams = model.upstreams.flatMap((upstream) => {
    const provider = providers.get(upstream.provider)
    if (provider?.region === undefined) return [upstream]
    return regionsOf(upstream, provider).flatMap((region) => upstreamIn(region, upstream, model, models))
  })
  // Nobody serves it where a price is known.
  if (upstreams.length === 0) return { ...model, pricing: undefined }
  const [first] = upstreams
  // Callers are told one price: that of whom is asked first.
  const pricing = first!.region === undefined ? model.pricing : (first!.pricing ?? model.pricing)
  return { ...model, upstreams, pricing }
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
  const known = models.get(`${upstream.provider}/${upstream.model}`)
  const isOperators = upstream.pricing !== undefined && upstream.pricing !== known?.pricing
  if (isOperators) return [{ ...upstream, region }]
  const { pricing, regional } = upstream.pricing === undefined ? model : known!
  if (pricing === undefined || regional === undefined) return [{ ...upstream, region }]
  const { known: priced, factor } = regional
  if (priced !== undefined && !priced.includes(region)) return []
  if (factor === undefined || factor.except.includes(region)) return [{ ...upstream, region }]
  return [{ ...upstream, region, pricing: multiplied(pricing, factor.by) }]
}

/** By the price itself, which is another object after each refresh: its table is compiled once. */
const products = new WeakMap<Pricing, Map<string, Pricing>>()

function multiplied(pricing: Pricing, factor: string): Pricing {
  let ofPricing = products.get(pricing)
  if (ofPricing === undefined) products.set(pricing, (ofPricing = new Map<string, Pricing>()))
  let product = ofPricing.get(factor)
  if (product === undefined) ofPricing.set(factor, (product = markedUp({ pricing, markup: factor })))
  return product
}
