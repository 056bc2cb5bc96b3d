import { totalInputTokens, totalOutputTokens, type Usage } from '@turnpike/protocol'
import { pricesOf } from '../../answers/patch-usage.ts'
import type { Cost } from '../../bridge.ts'

/**
 * Usage in Google's shape (https://ai.google.dev/api/generate-content#UsageMetadata). Cache reads are
 * included in the prompt; thoughts are not included in the candidates. Our cost is added: the exact amount as
 * a string, and the same as a number.
 */
export function formatUsage(usage: Usage, cost: Cost): Record<string, unknown> {
  const prompt = totalInputTokens(usage)
  const output = totalOutputTokens(usage)
  const cached = (usage.cacheReadTokens ?? 0) + (usage.cacheReadAudioTokens ?? 0)
  const thoughts = usage.reasoningTokens ?? 0
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: output - thoughts,
    totalTokenCount: prompt + output,
    ...(cached === 0 ? {} : { cachedContentTokenCount: cached }),
    ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
    ...pricesOf(cost),
  }
}
