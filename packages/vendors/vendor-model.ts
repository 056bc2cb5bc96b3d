import type { FormatName } from '@turnpike/dialects'
import type { Operation, Pricing } from '@turnpike/protocol'
import { defaultTiers } from './default-tiers.ts'
import type { Modality, Patience, SearchPrices } from './facts/facts.ts'
import type { CallTimeouts, CatalogModel, RegionalPrices } from './model.ts'
import { sourceModelOf } from './prices/for-model.ts'
import { nextChangeMs, periodsOf, pricingAt, type PricePeriod } from './prices/periods.ts'
import type { SourceModel, SourceProvider } from './prices/price-source.ts'
import type { Vendor } from './vendor.ts'

/** A model as a vendor offers it: a row of data/<vendor>.json, which generate.ts writes. */
export interface VendorModel {
  /** At the vendor. */
  id: string
  name: string
  /** `2025-08-07` */
  released: string
  context: number
  output: number
  input: Modality[]
  parameters: string[]
  /** The formats that it speaks; absent: those that its vendor is called in. */
  formats?: FormatName[]
  /** The operations that it supports; absent: generate only. */
  operations?: Operation[]
  /** The default length of its vectors. */
  dimensions?: number
  patience?: Patience
  /** Empty: there is no price, and the model cannot be called. */
  prices: PricePeriod[]
  /** Where the prices apply; absent: everywhere. */
  regional?: RegionalPrices
  /** Prices of its service tiers. These are our own, so a refresh does not change them. */
  serviceTiers?: NonNullable<Pricing['service_tiers']>
  /** Likewise for one-hour cache writes. */
  hourWrites?: string
  /** Likewise for its searches. */
  searches?: SearchPrices
  /** The prices are our own, not from the data, so a refresh does not change them. */
  ownPrices?: true
  /** What the vendor bills and we cannot charge: names of the data, such as `web_searches_kcount`. */
  notCharged?: string[]
  /** Further names, and what to call the model there. */
  aliases?: Record<string, string>
  /** Names followed by a date are versions of it, at its prices. */
  dated?: true
  /** The data's name of it, if it differs. */
  pricedAs?: string
  /** Prices of the data to ignore. */
  ignored?: string[]
}

interface PricedModel {
  ignored?: readonly string[] | undefined
  operations?: readonly Operation[] | undefined
}

const usualOperations: readonly Operation[] = ['generate']

/** The output of each operation, as in `modalities.output`. */
const outputs: Readonly<Record<Operation, string>> = {
  generate: 'text',
  embed: 'embeddings',
  rerank: 'scores',
  moderate: 'categories',
}

/** A model's prices according to the data; empty if it has none there. */
export function pricesFrom(
  entry: SourceModel,
  { ignored = [], operations = usualOperations }: PricedModel = {},
): { periods: PricePeriod[]; notCharged: string[] } {
  const writes = operations.includes('generate')
  if (ignored.length === 0 && writes) return periodsOf(entry)
  // A model without output has no output price in the data.
  const without = <Prices extends object>(prices: Prices): Prices => {
    const all = writes ? prices : { output_mtok: 0, ...prices }
    return Object.fromEntries(Object.entries(all).filter(([name]) => !ignored.includes(name))) as Prices
  }
  const prices = Array.isArray(entry.prices)
    ? entry.prices.map((period) => ({ ...period, prices: without(period.prices) }))
    : without(entry.prices)
  return periodsOf({ ...entry, prices })
}

/**
 * The model with newer data's prices; unchanged if that does not have it.
 * @throws {InexactPrice} if a price there cannot be charged exactly
 */
export function reprice(model: VendorModel, vendor: Vendor, source: readonly SourceProvider[]): VendorModel {
  if (model.ownPrices === true) return model
  const entry = sourceModelOf(source, vendor, model.pricedAs ?? model.id)
  if (entry === undefined) return model
  const { periods, notCharged } = pricesFrom(entry, model)
  return { ...model, prices: periods, notCharged }
}

/**
 * The model as callers of a provider see it, at the current prices.
 * @param vendor the model's vendor; undefined for a model without default tiers
 */
export function catalogModel(
  model: VendorModel,
  provider: string,
  vendor: string | undefined,
  nowMs: number,
): CatalogModel {
  return {
    id: `${provider}/${model.id}`,
    name: model.name,
    created: Date.parse(model.released) / 1000,
    ownedBy: provider,
    contextLength: model.context,
    maxOutputTokens: model.output,
    pricing: pricingOf(model, nowMs),
    operations: model.operations ?? usualOperations,
    modalities: {
      input: model.input,
      output: (model.operations ?? usualOperations).map((operation) => outputs[operation]),
    },
    supportedParameters: model.parameters,
    tiers: defaultTiers(vendor, model.id),
    upstreams: [
      { provider, model: model.id, ...(model.formats !== undefined && { formats: model.formats }) },
    ],
    fallbacks: [],
    ...(model.regional !== undefined && { regional: model.regional }),
    ...(model.patience !== undefined && { patience: inMs(model.patience) }),
    ...(model.dimensions !== undefined && { dimensions: model.dimensions }),
    ...(model.aliases !== undefined && { aliases: model.aliases }),
    ...(model.dated !== undefined && { dated: model.dated }),
  }
}

function inMs({ silence, total }: Patience): Partial<CallTimeouts> {
  return { firstByteMs: silence * 1000, idleMs: silence * 1000, totalMs: total * 1000 }
}

function pricingOf(
  { prices, serviceTiers, searches, hourWrites }: VendorModel,
  nowMs: number,
): Pricing | undefined {
  const pricing = pricingAt(prices, nowMs)
  if (pricing === undefined) return undefined
  return {
    // Newer data may have the price, which then takes precedence.
    ...(hourWrites === undefined ? {} : { input_cache_write_1h: hourWrites }),
    ...(searches === undefined ? pricing : withSearches(pricing, searches)),
    ...(serviceTiers === undefined ? {} : { service_tiers: serviceTiers }),
  }
}

/** Replaces the search prices of newer data, so that a search is not charged twice. */
function withSearches(
  { web_search: _each, grounded_prompt: _together, ...pricing }: Pricing,
  searches: SearchPrices,
): Pricing {
  return { ...pricing, ...searches }
}

/** When the prices of these models may change next, in Unix epoch milliseconds; Infinity: never. */
export function nextPriceChangeMs(models: readonly VendorModel[], nowMs: number): number {
  let next = Infinity
  for (const model of models) next = Math.min(next, nextChangeMs(model.prices, nowMs))
  return next
}
