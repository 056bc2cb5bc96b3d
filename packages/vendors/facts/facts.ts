import type { FormatName } from '@turnpike/dialects'
import type { Operation, Pricing } from '@turnpike/protocol'
import type { RegionalPrices } from '../model.ts'

export type Modality = 'text' | 'image' | 'audio' | 'video' | 'file'

/** What the price data does not say of the models that a vendor serves: our own list of what is offered. */
export interface VendorFacts {
  groups: FactGroup[]
  /** Names for people, where neither the data nor the identifier gives a good one. */
  names?: Record<string, string>
  /** The data's name of a model, where it knows it by another one than the vendor. */
  pricedAs?: Record<string, string>
  /** Prices of the data that are not what their name says, as `cache_write_mtok`: not taken. */
  ignored?: Record<string, readonly string[]>
  /** USD a token, where the data has no prices, or none that are right; each with the reason beside it. */
  pricing?: Record<string, Pricing>
  /** Prices of service tiers, which the data does not have. */
  serviceTiers?: Record<string, NonNullable<Pricing['service_tiers']>>
  /** Prices of what is written to a cache for an hour, where the data has none: USD a token. */
  hourWrites?: Record<string, string>
  /** Prices of searches, which the data does not have. */
  searches?: Record<string, SearchPrices>
  /** Names that the data's patterns do not give: by name, the model. */
  aliases?: Record<string, string>
}

/** By each search, or by each answer that rests on some. */
export type SearchPrices = Pick<Pricing, 'web_search' | 'grounded_prompt'>

/** Models that are alike but for their prices. */
export interface FactGroup {
  /** By the model's name at the vendor: the day it came out. */
  models: Record<string, string>
  /** Absent: as the price data says. */
  context?: number
  output: number
  input: readonly Modality[]
  /**
   * Request fields that they honour, as callers are told: a set of `parameters.ts`. Without `reasoning` they
   * are taken for models that do not reason.
   */
  parameters: readonly string[]
  /** The formats that they speak, where these are not the ones that the vendor is called in. */
  formats?: readonly FormatName[]
  /** What they can be asked for; absent: answers alone. */
  operations?: readonly Operation[]
  /** Of their vectors, where the request does not say. */
  dimensions?: number
  /** Where their prices hold, of a vendor whose regions differ: the page that says so stands beside it. */
  regional?: RegionalPrices
  /** How long they may take, where that is longer than of others. */
  patience?: Patience
}

/**
 * How long a model may take that thinks for minutes, in seconds: its calls are given at least so long, unless
 * the operator says otherwise of the model itself.
 */
export interface Patience {
  /** Until the first byte, and within the answer: nothing is heard while it thinks. */
  silence: number
  /** For the whole call. */
  total: number
}

/** What a vendor's file has of its models: read when prices are taken over, never at a start. */
export type ReadFacts = () => VendorFacts | Promise<VendorFacts>
