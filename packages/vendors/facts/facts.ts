import type { FormatName } from '@turnpike/dialects'
import type { Operation, Pricing } from '@turnpike/protocol'
import type { RegionalPrices } from '../model.ts'

export type Modality = 'text' | 'image' | 'audio' | 'video' | 'file'

/** Facts about a vendor's models that the price data lacks: our own list of what is offered. */
export interface VendorFacts {
  groups: FactGroup[]
  /** Display names, if neither the data nor the identifier gives a good one. */
  names?: Record<string, string>
  /** The data's name of a model, if it differs from the vendor's. */
  pricedAs?: Record<string, string>
  /** Prices of the data to ignore because they are not what their name says, such as `cache_write_mtok`. */
  ignored?: Record<string, readonly string[]>
  /** USD per token, if the data has no prices, or wrong ones; each with the reason beside it. */
  pricing?: Record<string, Pricing>
  /** Prices of service tiers, which the data lacks. */
  serviceTiers?: Record<string, NonNullable<Pricing['service_tiers']>>
  /** Prices of one-hour cache writes, if the data has none: USD per token. */
  hourWrites?: Record<string, string>
  /** Prices of searches, which the data lacks. */
  searches?: Record<string, SearchPrices>
  /** Names that the data's patterns do not cover: by name, the model. */
  aliases?: Record<string, string>
}

/** Per search, or per answer that uses searches. */
export type SearchPrices = Pick<Pricing, 'web_search' | 'grounded_prompt'>

/** Models that differ only in their prices. */
export interface FactGroup {
  /** By the model's name at the vendor: its release date. */
  models: Record<string, string>
  /** Absent: as in the price data. */
  context?: number
  output: number
  input: readonly Modality[]
  /**
   * Request fields that they support, as callers see them: a set of `parameters.ts`. Without `reasoning` they
   * count as models that do not reason.
   */
  parameters: readonly string[]
  /** The formats that they speak, if not those that the vendor is usually called in. */
  formats?: readonly FormatName[]
  /** What they can do; absent: generate only. */
  operations?: readonly Operation[]
  /** The default length of their vectors. */
  dimensions?: number
  /** Where their prices apply, for a vendor whose regions differ; the page that says so is beside it. */
  regional?: RegionalPrices
  /** Their timeouts, if they take longer than other models. */
  patience?: Patience
}

/** The least timeouts, in seconds, of a model that may reason for minutes; the operator's take precedence. */
export interface Patience {
  /** Until the first byte, and within the answer: the model is silent while it reasons. */
  silence: number
  /** For the whole call. */
  total: number
}

/** Returns a vendor file's facts about its models. Called when prices are generated, never at a start. */
export type ReadFacts = () => VendorFacts | Promise<VendorFacts>
