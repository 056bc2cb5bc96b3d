import { compilePricing, type PriceTable } from '@turnpike/billing'
import { Catalog, type CatalogModel, type Provider } from '@turnpike/vendors'
import type { Pricing } from '@turnpike/protocol'
import type { ModelOverride } from './configuration/configuration.ts'

/** What is taken of a model of which only its name is known. */
const unknownContextLength = 131_072
const unknownMaxOutputTokens = 16_384

const free: Pricing = { prompt: '0', completion: '0' }

export interface PricedCatalog {
  catalog: Catalog
  prices: ReadonlyMap<string, PriceTable>
}

/** The built-in models of the providers there are, with what the configuration says added or changed. */
export function buildCatalog(
  builtIn: readonly CatalogModel[],
  overrides: readonly ModelOverride[],
  providers: ReadonlyMap<string, Provider>,
  markup: string,
): PricedCatalog {
  const models = new Map<string, CatalogModel>()
  for (const model of builtIn) {
    if (model.upstreams.some((upstream) => providers.has(upstream.provider))) models.set(model.id, model)
  }
  for (const override of overrides) models.set(override.id, overridden(models.get(override.id), override))
  const prices = new Map<string, PriceTable>()
  const freeModels = new Set(overrides.filter((override) => override.free).map((override) => override.id))
  for (const model of models.values()) {
    const pricing = model.pricing ?? (freeModels.has(model.id) ? free : undefined)
    if (pricing !== undefined) prices.set(model.id, compilePricing(pricing, markup))
  }
  return { catalog: new Catalog([...models.values()]), prices }
}

function overridden(known: CatalogModel | undefined, override: ModelOverride): CatalogModel {
  const base = known ?? unknownModel(override.id)
  return {
    ...base,
    name: override.name ?? base.name,
    contextLength: override.contextLength ?? base.contextLength,
    maxOutputTokens: override.maxOutputTokens ?? base.maxOutputTokens,
    pricing: override.pricing ?? base.pricing,
    modalities: { ...base.modalities, ...override.modalities },
    supportedParameters: override.supportedParameters ?? base.supportedParameters,
    tiers: override.tiers ?? base.tiers,
    upstreams: override.upstreams ?? base.upstreams,
    fallbacks: override.fallbacks ?? base.fallbacks,
    ...(override.timeouts === undefined ? {} : { timeouts: override.timeouts }),
  }
}

function unknownModel(id: string): CatalogModel {
  const slash = id.indexOf('/')
  const provider = id.slice(0, slash)
  const model = id.slice(slash + 1)
  return {
    id,
    name: model,
    created: 0,
    ownedBy: provider,
    contextLength: unknownContextLength,
    maxOutputTokens: unknownMaxOutputTokens,
    pricing: undefined,
    modalities: { input: ['text'], output: ['text'] },
    supportedParameters: [],
    tiers: [],
    upstreams: [{ provider, model }],
    fallbacks: [],
  }
}
