import { createHash } from 'node:crypto'
import {
  priceNames,
  type PriceName,
  type Pricing,
  type PricingOverride,
  type UsageBucket,
} from '@turnpike/protocol'
import { multiplyDecimals, parseDecimal, unitsAt, type ScaledDecimal } from '../money/decimal.ts'

/** Prices are held in units of 10^-18 USD: fine enough for every per-token price that vendors publish. */
export const priceScale = 18

/**
 * A model's prices made ready for integer arithmetic, with the operator's markup beside them: the
 * markup is applied once, to the sum, so that no rounding happens per token.
 */
export interface PriceTable {
  /** Hash of the prices and the markup: two tables with the same version charge the same. */
  version: string
  pricing: Pricing
  markup: string
  markupDecimal: ScaledDecimal
  /** Ascending by bound; the first has bound 0. */
  bands: PriceBand[]
}

/** The prices that hold from a number of input tokens on, per bucket, in 10^-18 USD a token. */
export interface PriceBand {
  minPromptTokens: number
  perToken: Record<UsageBucket, bigint>
  perRequest: bigint
}

/**
 * @throws {RangeError} a price or the markup is not a plain decimal
 */
export function compilePricing(pricing: Pricing, markup: string): PriceTable {
  const bands = [band(pricing, 0)]
  const overrides = (pricing.overrides ?? []).toSorted((a, b) => a.min_prompt_tokens - b.min_prompt_tokens)
  for (const override of overrides) bands.push(band({ ...pricing, ...override }, override.min_prompt_tokens))
  const version = versionOf(pricing, markup)
  return { version, pricing, markup, markupDecimal: parseDecimal(markup), bands }
}

/** In one piece (`join`), as it stands in every row: see `newIdentifier`. */
function versionOf(pricing: Pricing, markup: string): string {
  const digest = createHash('sha256').update(JSON.stringify([canonical(pricing), markup]))
  return ['price', digest.digest('hex').slice(0, 16)].join('_')
}

/** The prices as a caller is told them: markup included, still exact. */
export function markedUp({ pricing, markup }: Pick<PriceTable, 'pricing' | 'markup'>): Pricing {
  const { overrides, ...base } = pricing
  const marked: Pricing = { ...base, ...multiplied(base, markup) }
  if (overrides !== undefined) {
    marked.overrides = overrides.map((override) => ({ ...override, ...multiplied(override, markup) }))
  }
  return marked
}

function multiplied(
  prices: Partial<Record<PriceName, string>>,
  markup: string,
): Partial<Record<PriceName, string>> {
  const result: Partial<Record<PriceName, string>> = {}
  for (const name of priceNames) {
    const price = prices[name]
    if (price !== undefined) result[name] = multiplyDecimals(price, markup)
  }
  return result
}

function band(pricing: Pricing, minPromptTokens: number): PriceBand {
  const prompt = units(pricing.prompt)
  const completion = units(pricing.completion)
  const price = (name: PriceName, plainer: bigint): bigint => {
    const text = pricing[name]
    return text === undefined ? plainer : units(text)
  }
  const cacheWrite = price('input_cache_write', prompt)
  return {
    minPromptTokens,
    perToken: {
      inputTokens: prompt,
      cacheReadTokens: price('input_cache_read', prompt),
      cacheWriteTokens: cacheWrite,
      cacheWrite1hTokens: price('input_cache_write_1h', cacheWrite),
      inputAudioTokens: price('audio', prompt),
      inputImageTokens: price('image', prompt),
      outputTokens: completion,
      reasoningTokens: price('internal_reasoning', completion),
      outputAudioTokens: completion,
    },
    perRequest: price('request', 0n),
  }
}

function units(price: string): bigint {
  return unitsAt(parseDecimal(price), priceScale)
}

/** Keys in a fixed order, so that equal prices have equal versions. */
function canonical(pricing: Pricing): unknown {
  const one = (prices: PricingOverride | Pricing): unknown => priceNames.map((name) => prices[name] ?? null)
  const overrides = (pricing.overrides ?? []).map((override) => [override.min_prompt_tokens, one(override)])
  return [one(pricing), overrides]
}
