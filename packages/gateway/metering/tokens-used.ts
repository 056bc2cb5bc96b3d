import { vendorFormats } from '@turnpike/dialects'
import type { TokensUsed } from '@turnpike/limits'
import { totalInputTokens, totalOutputTokens, type Usage } from '@turnpike/protocol'
import type { Provider } from '@turnpike/vendors'

/**
 * The tokens that count against rate limits. Cached input does not count if the vendor's own limits do not
 * count it (docs/contract.md, 7).
 * @param estimatedTokens of the input; they remain for answers billed by search units, which report no tokens
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
