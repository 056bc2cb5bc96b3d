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
  /** What it can be asked for; absent: answers alone. */
  operations?: Operation[]
  /** Of its vectors, where the request does not say. */
  dimensions?: number
  patience?: Patience
  /** Empty: there is no price, and the model cannot be called. */
  prices: PricePeriod[]
  /** Where the prices hold; absent: everywhere. */
  regional?: RegionalPrices
  /** Prices of its service tiers, which are our own: a refresh leaves them alone. */
  serviceTiers?: NonNullable<Pricing['service_tiers']>
  /** The same of what is written to a cache for an hour. */
  hourWrites?: string
  /** The same of its searches. */
  searches?: SearchPrices
  /** The prices are our own, not those of the data; a refresh leaves them alone. */
  ownPrices?: true
  /** What the vendor charges for besides, and we do not: names of the data, as `web_searches_kcount`. */
  notCharged?: string[]
  /** Further names, by what to call the model there. */
  aliases?: Record<string, string>
  /** Names with a date behind are versions of it at its prices. */
  dated?: true
  /** The data's name of it, where that is another one. */
  pricedAs?: string
  /** Prices of the data that are not taken. */
  ignored?: string[]
}

interface PricedModel {
  ignored?: readonly string[] | undefined
  operations?: readonly Operation[] | undefined
}

const usualOperations: readonly Operation[] = ['generate']

/** What an answer is, as `modalities.output` says it. */
const outputs: Readonly<Record<Operation, string>> = {
  generate: 'text',
  embed: 'embeddings',
  rerank: 'scores',
  moderate: 'categories',
}

/** What the data says a model costs; empty where it is not priced there. */
export function pricesFrom(
  entry: SourceModel,
  { ignored = [], operations = usualOperations }: PricedModel = {},
): { periods: PricePeriod[]; notCharged: string[] } {
  const writes = operations.includes('generate')
  if (ignored.length === 0 && writes) return periodsOf(entry)
  // What writes nothing has no price of output there.
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
 * The model with the prices of newer data; unchanged where that does not know it.
 * @throws {InexactPrice} a price there cannot be charged exactly
 */
export function reprice(model: VendorModel, vendor: Vendor, source: readonly SourceProvider[]): VendorModel {
  if (model.ownPrices === true) return model
  const entry = sourceModelOf(source, vendor, model.pricedAs ?? model.id)
  if (entry === undefined) return model
  const { periods, notCharged } = pricesFrom(entry, model)
  return { ...model, prices: periods, notCharged }
}

/**
 * The model as callers of a provider see it, at the prices of this moment.
 * @param vendor whose model it is; undefined: of none whose models have tiers by default
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
    // Newer data may have it, and then knows it better.
    ...(hourWrites === undefined ? {} : { input_cache_write_1h: hourWrites }),
    ...(searches === undefined ? pricing : withSearches(pricing, searches)),
    ...(serviceTiers === undefined ? {} : { service_tiers: serviceTiers }),
  }
}

/** In place of what newer data may have for them: the same search is not paid for twice. */
function withSearches(
  { web_search: _each, grounded_prompt: _together, ...pricing }: Pricing,
  searches: SearchPrices,
): Pricing {
  return { ...pricing, ...searches }
}

/** When some of these models may change their prices, in Unix epoch milliseconds; Infinity: never. */
export function nextPriceChangeMs(models: readonly VendorModel[], nowMs: number): number {
  let next = Infinity
  for (const model of models) next = Math.min(next, nextChangeMs(model.prices, nowMs))
  return next
}
