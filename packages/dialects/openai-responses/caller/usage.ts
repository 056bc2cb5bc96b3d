import { totalInputTokens, totalOutputTokens, type Usage } from '@turnpike/protocol'
import { pricesOf } from '../../answers/patch-usage.ts'
import type { Cost } from '../../bridge.ts'

/**
 * Usage in the shape of https://platform.openai.com/docs/api-reference/responses/object, with the cost: the
 * exact amount as a string, and the same as a number.
 */
export function formatUsage(usage: Usage, cost: Cost): Record<string, unknown> {
  const input = totalInputTokens(usage)
  const output = totalOutputTokens(usage)
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: (usage.cacheReadTokens ?? 0) + (usage.cacheReadAudioTokens ?? 0),
      cache_write_tokens: (usage.cacheWriteTokens ?? 0) + (usage.cacheWrite1hTokens ?? 0),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    total_tokens: input + output,
    ...pricesOf(cost),
  }
}
