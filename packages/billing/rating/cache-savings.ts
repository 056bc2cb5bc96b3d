import type { Usage } from '@turnpike/protocol'
import type { PriceTable } from './price-table.ts'
import { rate } from './rate.ts'

/**
 * What cached input saved, in pico-USD: the charge of the same usage with every cached token at the plain
 * input price, minus its charge. Below zero if a vendor charges more for cached tokens.
 */
export function cacheSavings(usage: Usage, table: PriceTable): bigint {
  const { cacheReadTokens = 0, cacheReadAudioTokens = 0, inputTokens = 0, inputAudioTokens = 0 } = usage
  if (cacheReadTokens === 0 && cacheReadAudioTokens === 0) return 0n
  const uncached: Usage = {
    ...usage,
    inputTokens: inputTokens + cacheReadTokens,
    inputAudioTokens: inputAudioTokens + cacheReadAudioTokens,
    cacheReadTokens: 0,
    cacheReadAudioTokens: 0,
  }
  return rate(uncached, table) - rate(usage, table)
}
