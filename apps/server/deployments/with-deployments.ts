import type { VendorModel } from '@turnpike/vendors'
import type { ModelSources } from '../build-catalog.ts'
import type { Deployment } from './list-deployments.ts'

/** By the provider's name; one that was not listed yet is not among them. */
export type Deployments = ReadonlyMap<string, readonly Deployment[]>

/** Those whose prices are the ones that are known; others are billed by the region, the hour or the batch. */
const pricedSku = 'GlobalStandard'

/**
 * The models with those that are deployed under names of their own. A deployment by a model's name that is
 * another model, or is billed otherwise, takes that one's place: nobody is charged what something else costs.
 * What is not deployed stays: the list may be older than the resource.
 */
export function withDeployments(sources: ModelSources, deployed: Deployments): ModelSources {
  if (deployed.size === 0) return sources
  const offers = sources.offers.map((offer) => {
    const found = deployed.get(offer.provider.name)
    if (found === undefined) return offer
    const models = new Map(offer.models.map((model) => [model.id, model]))
    for (const deployment of found) {
      const model = deployedModel(deployment, offer.models)
      if (model !== undefined) models.set(deployment.name, model)
      else if (models.has(deployment.name)) models.delete(deployment.name)
    }
    return { ...offer, models: [...models.values()] }
  })
  return { ...sources, offers }
}

/** Undefined: nothing is known of its model, which then stands in the configuration or nowhere. */
function deployedModel(
  { name, model: bare, version, sku }: Deployment,
  models: readonly VendorModel[],
): VendorModel | undefined {
  const dated = `${bare}-${version}`
  const known = models.find(({ id }) => id === dated) ?? models.find(({ id }) => id === bare)
  if (known === undefined) return undefined
  const isPriced = sku === pricedSku && isVersionOf(known, dated, version)
  if (isPriced && known.id === name) return known
  const { aliases: _names, dated: _versions, ...rest } = known
  return {
    ...rest,
    id: name,
    name: name === known.name ? name : `${known.name} (${name})`,
    prices: isPriced ? known.prices : [],
  }
}

/** Whether its prices are those of this version. */
function isVersionOf({ id, aliases, dated: isDated }: VendorModel, dated: string, version: string): boolean {
  return version === '' || id === dated || isDated === true || aliases?.[dated] !== undefined
}
