import type { TokensUsed } from '@turnpike/limits'
import { totalInputTokens, totalOutputTokens, type Usage } from '@turnpike/protocol'
import type { Provider } from '@turnpike/vendors'

/**
 * What counts against limits. What an Anthropic-style upstream read from its cache does not, as at Anthropic
 * (contract, section 7; https://platform.claude.com/docs/en/api/rate-limits#cache-aware-itpm).
 */
export function countedTokens(usage: Usage, { format }: Provider): TokensUsed {
  const cachedTokens = format === 'anthropic-messages' ? (usage.cacheReadTokens ?? 0) : 0
  return {
    inputTokens: totalInputTokens(usage) - cachedTokens,
    outputTokens: totalOutputTokens(usage),
  }
}
