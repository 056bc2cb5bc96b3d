import {
  inputBuckets,
  outputBuckets,
  totalInputTokens,
  type InputBucket,
  type Usage,
} from '@turnpike/protocol'
import { priceScale, type PriceBand, type PriceTable } from './price-table.ts'

const picoScale = 12

/** What a request comes to, in pico-USD. */
export interface Rated {
  /** What the caller pays. */
  chargePico: bigint
  /** What the vendor is owed: the same usage at the same prices, without the operator's markup. */
  vendorCostPico: bigint
}

/**
 * Each bucket once at its price, and the per-request fee. The charge is that sum times the markup, the vendor
 * cost the sum as it is; each is rounded half up once, at the very end: at a markup of 1 they are equal.
 */
export function rateBoth(usage: Usage, table: PriceTable): Rated {
  const sum = priceSum(usage, table)
  const chargePico = toPico(sum, table)
  return { chargePico, vendorCostPico: isUnmarked(table) ? chargePico : roundedTo(sum, pricesPerPico) }
}

/** The charge alone. */
export function rate(usage: Usage, table: PriceTable): bigint {
  return toPico(priceSum(usage, table), table)
}

/** In 10^-18 USD, before markup and rounding. */
function priceSum(usage: Usage, table: PriceTable): bigint {
  const prices = bandFor(table, totalInputTokens(usage))
  let sum = prices.perRequest
  for (const bucket of inputBuckets) {
    const tokens = usage[bucket]
    if (tokens !== undefined && tokens !== 0) sum += BigInt(tokens) * prices.perToken[bucket]
  }
  for (const bucket of outputBuckets) {
    const tokens = usage[bucket]
    if (tokens !== undefined && tokens !== 0) sum += BigInt(tokens) * prices.perToken[bucket]
  }
  return sum
}

/** What an input is always able to be: a vendor may write any prompt to its cache. */
const usualInput = ['inputTokens', 'cacheWriteTokens'] as const satisfies InputBucket[]

/**
 * The most that so many tokens may cost: input at the dearest price that it can have, output at the dearer of
 * plain and reasoning.
 * @param furtherInput buckets that this input may fall into besides plain text and the usual cache, as audio
 */
export function worstCase(
  table: PriceTable,
  inputTokens: number,
  outputTokens: number,
  furtherInput: readonly InputBucket[] = [],
): bigint {
  const { perToken, perRequest } = bandFor(table, inputTokens)
  let input = 0n
  for (const bucket of usualInput) input = larger(input, perToken[bucket])
  for (const bucket of furtherInput) input = larger(input, perToken[bucket])
  const output = larger(perToken.outputTokens, perToken.reasoningTokens)
  return toPico(perRequest + BigInt(inputTokens) * input + BigInt(outputTokens) * output, table)
}

function bandFor(table: PriceTable, promptTokens: number): PriceBand {
  let found = table.bands[0]!
  for (const band of table.bands) {
    if (band.minPromptTokens <= promptTokens) found = band
  }
  return found
}

function toPico(sum: bigint, table: PriceTable): bigint {
  const divisor =
    table.markupDecimal.scale === 0 ? pricesPerPico : pricesPerPico * 10n ** BigInt(table.markupDecimal.scale)
  return roundedTo(sum * table.markupDecimal.units, divisor)
}

function isUnmarked({ markupDecimal: { units, scale } }: PriceTable): boolean {
  return units === 1n && scale === 0
}

/** Half up: no amount is below zero. */
function roundedTo(sum: bigint, divisor: bigint): bigint {
  return (sum + divisor / 2n) / divisor
}

const pricesPerPico = 10n ** BigInt(priceScale - picoScale)

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}
