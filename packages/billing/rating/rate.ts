import {
  inputBuckets,
  outputBuckets,
  totalInputTokens,
  type InputBucket,
  type Usage,
} from '@turnpike/protocol'
import { priceScale, type PriceBand, type PriceTable } from './price-table.ts'

const picoScale = 12

/**
 * What a request costs, in pico-USD: each bucket once at its price, the per-request fee, the sum times the
 * markup, rounded half up once at the very end.
 */
export function rate(usage: Usage, table: PriceTable): bigint {
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
  return toPico(sum, table)
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
  return (sum * table.markupDecimal.units + divisor / 2n) / divisor
}

const pricesPerPico = 10n ** BigInt(priceScale - picoScale)

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}
