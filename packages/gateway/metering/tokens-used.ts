import { vendorFormats } from '@turnpike/dialects'
import type { TokensUsed } from '@turnpike/limits'
import { totalInputTokens, totalOutputTokens, type Usage } from '@turnpike/protocol'
import type { Provider } from '@turnpike/vendors'

/**
 * What counts against limits. What an upstream read from its cache does not, where its vendor's own limits do
 * not count that either (docs/contract.md, 7).
 * @param estimatedTokens of the input: they stay where it is billed by search units, and nobody counts them
 */
export function toTokensUsed(usage: Usage, { format }: Provider, estimatedTokens: number): TokensUsed {
  if (usage.searchUnits !== undefined) return { inputTokens: estimatedTokens, outputTokens: 0 }
  const { cacheReadsUnlimited } = vendorFormats[format]
  const cachedTokens = cacheReadsUnlimited === true ? (usage.cacheReadTokens ?? 0) : 0
  return {
    inputTokens: totalInputTokens(usage) - cachedTokens,
    outputTokens: totalOutputTokens(usage),
  }
}
