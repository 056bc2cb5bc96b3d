import { vendorFormats } from '@turnpike/dialects'
import type { TokensUsed } from '@turnpike/limits'
import { totalInputTokens, totalOutputTokens, type Usage } from '@turnpike/protocol'
import type { Provider } from '@turnpike/vendors'

/**
 * What counts against limits. What an upstream read from its cache does not, where its vendor's own limits do
 * not count that either (contract, section 7).
 */
export function countedTokens(usage: Usage, { format }: Provider): TokensUsed {
  const { cacheReadsUnlimited } = vendorFormats[format]
  const cachedTokens = cacheReadsUnlimited === true ? (usage.cacheReadTokens ?? 0) : 0
  return {
    inputTokens: totalInputTokens(usage) - cachedTokens,
    outputTokens: totalOutputTokens(usage),
  }
}
