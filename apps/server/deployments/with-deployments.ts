import type { VendorModel } from '@turnpike/vendors'
import type { ModelSources } from '../build-catalog.ts'
import type { Deployment } from './list-deployments.ts'

/** By provider name; a provider that was not listed yet has no entry. */
export type Deployments = ReadonlyMap<string, readonly Deployment[]>

/** The billing kind whose prices the catalog has; other kinds are billed by region, by hour or by batch. */
const pricedSku = 'GlobalStandard'

/**
 * Adds deployments with names of their own to the models. If a deployment has a model's name but is another
 * model, or is billed differently, it replaces that model, so that no caller pays another model's price.
 * Models that are not deployed stay, because the list may be older than the resource.
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

/** Undefined if its model is not in the catalog. It can then be called only if it is configured. */
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

/** Whether the model's prices apply to this version. */
function isVersionOf({ id, aliases, dated: isDated }: VendorModel, dated: string, version: string): boolean {
  return version === '' || id === dated || isDated === true || aliases?.[dated] !== undefined
}
