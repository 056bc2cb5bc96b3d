import { createHash } from 'node:crypto'
import {
  priceNames,
  usageBuckets,
  type PriceName,
  type Pricing,
  type PricingOverride,
  type SinglePrices,
  type UsageBucket,
} from '@turnpike/protocol'
import { multiplyDecimals, parseDecimal, unitsAt, type ScaledDecimal } from '../money/decimal.ts'

/** Prices are in units of 10^-18 USD: fine enough for every per-token price that vendors publish. */
export const priceScale = 18

/**
 * A model's prices, prepared for integer arithmetic. The operator's markup is separate and applied once, to
 * the sum, so that nothing is rounded per token.
 */
export interface PriceTable {
  /** Hash of the prices and the markup: two tables with the same version charge the same. */
  version: string
  pricing: Pricing
  markup: string
  markupDecimal: ScaledDecimal
  /** Ascending by bound; the first has bound 0. */
  bands: PriceBand[]
  /** The bands of each service tier with prices of its own, by name; undefined: none has any. */
  tiers: ReadonlyMap<string, PriceBand[]> | undefined
  /**
   * Set if the owner of a vendor key pays the vendor: the markup is the operator's fee, and the operator owes
   * nothing. `unpriced`: it is unknown what they pay, and there is no fee. Absent: the operator pays.
   */
  own?: 'priced' | 'unpriced'
}

/** The prices from a number of input tokens on, in 10^-18 USD per token, search or search unit. */
export interface PriceBand {
  minPromptTokens: number
  perUnit: Record<UsageBucket, bigint>
  perRequest: bigint
  /** Once, if the vendor searched for the answer. */
  perGroundedPrompt: bigint
  /** The higher of plain input and cache writes, because a vendor may write any prompt to its cache. */
  usualInput: bigint
  /** The higher of plain output and reasoning. */
  usualOutput: bigint
}

/** @throws {RangeError} if a price or the markup is not a plain decimal */
export function compilePricing(pricing: Pricing, markup: string): PriceTable {
  const version = versionOf(pricing, markup)
  const bands = plainBands(pricing)
  const tiers = pricing.service_tiers === undefined ? undefined : tierBands(pricing, bands)
  return { version, pricing, markup, markupDecimal: parseDecimal(markup), bands, tiers }
}

/**
 * Like `compilePricing`, for callers who pay the vendor with a key of their own: they are charged only the
 * fee.
 * @param fee the operator's factor on the list price, a decimal string
 */
export function compileOwnPricing(pricing: Pricing, fee: string): PriceTable {
  return { ...compilePricing(pricing, fee), own: 'priced' }
}

/** For a model without a price, used with a vendor key of the caller's own: no fee. */
export function unpricedOwn(): PriceTable {
  return { ...compilePricing({ prompt: '0', completion: '0' }, '0'), own: 'unpriced' }
}

function plainBands({ overrides, ...base }: Pricing): PriceBand[] {
  return [
    band(base, 0),
    ...ascending(overrides).map((one) => band({ ...base, ...one }, one.min_prompt_tokens)),
  ]
}

function tierBands(
  { overrides: _long, service_tiers: tiers = {}, ...base }: Pricing,
  bands: readonly PriceBand[],
): ReadonlyMap<string, PriceBand[]> {
  const byName = new Map<string, PriceBand[]>()
  for (const [name, prices] of Object.entries(tiers)) {
    const plain = band({ ...base, ...prices }, 0)
    // No vendor sells long prompts in a more expensive tier below its plain price for them.
    const long = bands
      .slice(1)
      .map((one) => higherPrices({ ...plain, minPromptTokens: one.minPromptTokens }, one))
    byName.set(name.toLowerCase(), [plain, ...long])
  }
  return byName
}

function higherPrices(one: PriceBand, other: PriceBand): PriceBand {
  const perUnit = { ...one.perUnit }
  for (const bucket of usageBuckets)
    if (other.perUnit[bucket] > perUnit[bucket]) perUnit[bucket] = other.perUnit[bucket]
  return {
    minPromptTokens: one.minPromptTokens,
    perUnit,
    perRequest: larger(one.perRequest, other.perRequest),
    perGroundedPrompt: larger(one.perGroundedPrompt, other.perGroundedPrompt),
    ...usual(perUnit),
  }
}

function usual(perUnit: PriceBand['perUnit']): Pick<PriceBand, 'usualInput' | 'usualOutput'> {
  return {
    usualInput: larger(perUnit.inputTokens, perUnit.cacheWriteTokens),
    usualOutput: larger(perUnit.outputTokens, perUnit.reasoningTokens),
  }
}

export function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}

function ascending(overrides: readonly PricingOverride[] = []): PricingOverride[] {
  return overrides.toSorted((a, b) => a.min_prompt_tokens - b.min_prompt_tokens)
}

/** A flat string (`join`), because it is kept in every row: see `newIdentifier`. */
function versionOf(pricing: Pricing, markup: string): string {
  const digest = createHash('sha256').update(JSON.stringify([canonical(pricing), markup]))
  return ['price', digest.digest('hex').slice(0, 16)].join('_')
}

/** The prices that callers see: with the markup, still exact. */
export function addMarkup({ pricing, markup }: Pick<PriceTable, 'pricing' | 'markup'>): Pricing {
  const { service_tiers: tiers } = pricing
  const marked = addMarkupToAll(pricing, markup)
  if (tiers === undefined) return marked
  const entries = Object.entries(tiers).map(([name, tier]) => [name, addMarkupToAll(tier, markup)] as const)
  return { ...marked, service_tiers: Object.fromEntries(entries) }
}

function addMarkupToAll<Prices extends SinglePrices & Pick<Pricing, 'overrides'>>(
  prices: Prices,
  markup: string,
): Prices {
  const { overrides } = prices
  const marked = { ...prices, ...multiplyPrices(prices, markup) }
  if (overrides !== undefined)
    marked.overrides = overrides.map((override) => ({ ...override, ...multiplyPrices(override, markup) }))
  return marked
}

function multiplyPrices(prices: SinglePrices, markup: string): SinglePrices {
  const result: SinglePrices = {}
  for (const name of priceNames) {
    const price = prices[name]
    if (price !== undefined) result[name] = multiplyDecimals(price, markup)
  }
  return result
}

function band(
  pricing: SinglePrices & Pick<Pricing, 'prompt' | 'completion'>,
  minPromptTokens: number,
): PriceBand {
  const prompt = units(pricing.prompt)
  const completion = units(pricing.completion)
  const price = (name: PriceName, plainer: bigint): bigint => {
    const text = pricing[name]
    return text === undefined ? plainer : units(text)
  }
  const cacheRead = price('input_cache_read', prompt)
  const cacheWrite = price('input_cache_write', prompt)
  const perUnit = {
    inputTokens: prompt,
    cacheReadTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    cacheWrite1hTokens: price('input_cache_write_1h', cacheWrite),
    inputAudioTokens: price('audio', prompt),
    inputImageTokens: price('image', prompt),
    cacheReadAudioTokens: price('input_audio_cache', cacheRead),
    outputTokens: completion,
    reasoningTokens: price('internal_reasoning', completion),
    outputAudioTokens: price('audio_output', completion),
    outputImageTokens: price('image_output', completion),
    webSearches: price('web_search', 0n),
    citationTokens: price('citation', 0n),
    searchUnits: price('search_unit', 0n),
  }
  return {
    minPromptTokens,
    perUnit,
    perRequest: price('request', 0n),
    perGroundedPrompt: price('grounded_prompt', 0n),
    ...usual(perUnit),
  }
}

function units(price: string): bigint {
  return unitsAt(parseDecimal(price), priceScale)
}

/** Keys in a fixed order, so that equal prices have equal versions. */
function canonical(pricing: Pricing): unknown {
  const one = (prices: SinglePrices): unknown => priceNames.map((name) => prices[name] ?? null)
  const overrides = (pricing.overrides ?? []).map((override) => [override.min_prompt_tokens, one(override)])
  const tiers = Object.entries(pricing.service_tiers ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [one(pricing), overrides, tiers.map(([name, tier]) => [name, one(tier)])]
}
