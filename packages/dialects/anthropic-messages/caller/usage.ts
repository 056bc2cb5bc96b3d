import { totalOutputTokens, type Usage } from '@turnpike/protocol'
import { pricesOf } from '../../answers/patch-usage.ts'
import type { Cost } from '../../bridge.ts'

/**
 * Usage in Anthropic's shape (https://platform.claude.com/docs/en/api/messages#usage). Cache reads and writes
 * are not included in `input_tokens`; thinking is included in `output_tokens`. Our cost is added: the exact
 * amount as a string, and the same as a number.
 */
export function formatUsage(usage: Usage, cost: Cost): Record<string, unknown> {
  const fiveMinutes = usage.cacheWriteTokens ?? 0
  const oneHour = usage.cacheWrite1hTokens ?? 0
  const formatted: Record<string, unknown> = {
    input_tokens: (usage.inputTokens ?? 0) + (usage.inputAudioTokens ?? 0) + (usage.inputImageTokens ?? 0),
    cache_creation_input_tokens: fiveMinutes + oneHour,
    cache_read_input_tokens: (usage.cacheReadTokens ?? 0) + (usage.cacheReadAudioTokens ?? 0),
    cache_creation: { ephemeral_5m_input_tokens: fiveMinutes, ephemeral_1h_input_tokens: oneHour },
    output_tokens: totalOutputTokens(usage),
  }
  if (usage.webSearches !== undefined)
    formatted['server_tool_use'] = { web_search_requests: usage.webSearches }
  return { ...formatted, ...pricesOf(cost) }
}

/** Sent before the vendor has counted anything: clients add to these numbers, and fail without them. */
export const usageAtStart = { input_tokens: 0, output_tokens: 0 }
