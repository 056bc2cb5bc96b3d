import { compilePricing, type PriceTable } from '@turnpike/billing'
import {
  Catalog,
  catalogModel,
  nextPriceChangeMs,
  type CatalogModel,
  type Provider,
  type VendorModel,
} from '@turnpike/vendors'
import type { Pricing } from '@turnpike/protocol'
import type { ModelOverride } from './configuration/configuration.ts'
import { inRegions } from './in-regions.ts'

/** Assumed for a model of which only the name is known. */
const unknownContextLength = 131_072
const unknownMaxOutputTokens = 16_384

const free: Pricing = { prompt: '0', completion: '0', search_unit: '0' }

/** Everything that the catalog and its prices are built from. Immutable: a refresh creates a new one. */
export interface ModelSources {
  /** The models of each provider whose vendor is known. */
  offers: readonly ProviderOffer[]
  /** Models that do not depend on a vendor, such as the sandbox's. */
  builtIn: readonly CatalogModel[]
  overrides: readonly ModelOverride[]
  /** The operator's factor on every price, as a decimal string. */
  markup: string
}

export interface ProviderOffer {
  provider: Provider
  models: readonly VendorModel[]
}

/** A catalog with its prices. A request must never see one without the other. */
export interface PricedCatalog {
  catalog: Catalog
  /** Prices by model. A model without an entry cannot be called. */
  prices: ReadonlyMap<string, PriceTable>
  /** Unix epoch milliseconds at which a price may change next; Infinity if none ever changes. */
  nextChangeMs: number
}

/** Builds the catalog at the prices of this moment: the providers' models with the operator's overrides. */
export function buildCatalog(sources: ModelSources, nowMs: number): PricedCatalog {
  const { offers, builtIn, overrides, markup } = sources
  const models = new Map(builtIn.map((model) => [model.id, model]))
  let nextChangeMs = Infinity
  for (const { provider, models: offered } of offers) {
    for (const model of offered) {
      const made = catalogModel(model, provider.name, provider.vendor, nowMs)
      models.set(made.id, made)
    }
    nextChangeMs = Math.min(nextChangeMs, nextPriceChangeMs(offered, nowMs))
  }
  const aliases = new Map<string, string>()
  for (const override of overrides) {
    if (override.aliasOf !== undefined) {
      aliases.set(override.id, override.aliasOf)
      continue
    }
    const made = overridden(baseOf(override.id, models), override)
    const spoken = withUpstreamFormats(made, override, models)
    models.set(made.id, override.free ? spoken : withUpstreamPrices(spoken, models))
  }
  const providers = new Map(offers.map(({ provider }) => [provider.name, provider]))
  const served = [...models.values()].map((model) => inRegions(model, providers, models))
  const prices = new Map<string, PriceTable>()
  const freeModels = new Set(overrides.filter((override) => override.free).map((override) => override.id))
  for (const model of served) {
    const pricing = model.pricing ?? (freeModels.has(model.id) ? free : undefined)
    if (pricing !== undefined) prices.set(model.id, compilePricing(pricing, markup))
  }
  return { catalog: new Catalog(served, aliases), prices, nextChangeMs }
}

/**
 * The model that an override starts from: the one with this identifier, else the one of which it names a
 * dated version, else an unknown model.
 */
function baseOf(id: string, models: ReadonlyMap<string, CatalogModel>): CatalogModel {
  const known = models.get(id)
  if (known !== undefined) return known
  const slash = id.indexOf('/')
  const provider = id.slice(0, slash)
  const model = id.slice(slash + 1)
  const one = versionOf(provider, model, models)
  if (one === undefined) return unknownModel(id, provider, model)
  const { aliases, dated: _dated, upstreams, ...rest } = one
  return { ...rest, id, upstreams: [{ ...upstreams[0]!, model: aliases![model]! }] }
}

/** The provider's model that has this name as an alias. */
function versionOf(
  provider: string,
  name: string,
  models: ReadonlyMap<string, CatalogModel>,
): CatalogModel | undefined {
  for (const one of models.values())
    if (one.id.startsWith(`${provider}/`) && one.aliases?.[name] !== undefined) return one
  return undefined
}

function overridden({ isUnknown, regional, ...base }: CatalogModel, override: ModelOverride): CatalogModel {
  return {
    ...base,
    ...(isUnknown === true && override.modalities?.input === undefined ? { isUnknown } : {}),
    name: override.name ?? base.name,
    contextLength: override.contextLength ?? base.contextLength,
    maxOutputTokens: override.maxOutputTokens ?? base.maxOutputTokens,
    pricing: override.pricing ?? base.pricing,
    ...(override.pricing === undefined && regional !== undefined && { regional }),
    operations: override.operations ?? base.operations,
    modalities: { ...base.modalities, ...override.modalities },
    supportedParameters: override.supportedParameters ?? base.supportedParameters,
    tiers: override.tiers ?? base.tiers,
    upstreams: override.upstreams ?? base.upstreams,
    fallbacks: override.fallbacks ?? base.fallbacks,
    // Tiers that the operator sets are deliberate: the model is no longer a placeholder.
    ...(override.tiers === undefined ? {} : { isPlaceholder: false }),
    ...(override.timeouts === undefined ? {} : { timeouts: override.timeouts }),
    ...(override.limits === undefined ? {} : { limits: override.limits }),
  }
}

/**
 * Adds the formats in which each upstream serves the model: those of the upstream's entry in the
 * configuration, else of the model's entry, else of the catalog's model that the upstream serves.
 */
function withUpstreamFormats(
  model: CatalogModel,
  { formats, upstreams: configuredUpstreams }: ModelOverride,
  models: ReadonlyMap<string, CatalogModel>,
): CatalogModel {
  const upstreams = model.upstreams.map((upstream) => {
    const { provider, model: name } = upstream
    const own = configuredUpstreams === undefined ? undefined : upstream.formats
    const known = models.get(`${provider}/${name}`) ?? versionOf(provider, name, models)
    const spoken = own ?? formats ?? upstream.formats ?? known?.upstreams[0]?.formats
    return spoken === undefined ? upstream : { ...upstream, formats: spoken }
  })
  return { ...model, upstreams }
}

/** Gives an upstream without a price of its own the price of the catalog's model that it serves. */
function withUpstreamPrices(model: CatalogModel, models: ReadonlyMap<string, CatalogModel>): CatalogModel {
  if (model.pricing !== undefined) return model
  const upstreams = model.upstreams.map((upstream) => {
    const pricing = upstream.pricing ?? models.get(`${upstream.provider}/${upstream.model}`)?.pricing
    return pricing === undefined ? upstream : { ...upstream, pricing }
  })
  // The API shows callers one price: that of the upstream that the operator lists first.
  return { ...model, upstreams, pricing: upstreams[0]?.pricing }
}

function unknownModel(id: string, provider: string, model: string): CatalogModel {
  return {
    id,
    name: model,
    created: 0,
    ownedBy: provider,
    contextLength: unknownContextLength,
    maxOutputTokens: unknownMaxOutputTokens,
    pricing: undefined,
    operations: ['generate'],
    modalities: { input: ['text'], output: ['text'] },
    isUnknown: true,
    supportedParameters: [],
    tiers: [],
    upstreams: [{ provider, model }],
    fallbacks: [],
  }
}
