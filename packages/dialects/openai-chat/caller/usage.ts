import { totalInputTokens, totalOutputTokens, type Usage } from '@turnpike/protocol'
import { tokenCount } from '../../answers/token-count.ts'
import type { Cost } from '../../bridge.ts'
import type { ChatUsage } from '../chat-usage.ts'

/** Further counts that clients know by these names. */
const furtherCounts: ReadonlySet<string> = new Set([
  'cached_tokens',
  'prompt_cache_hit_tokens',
  'prompt_cache_miss_tokens',
  'reasoning_tokens',
  'citation_tokens',
  'num_search_queries',
  'num_sources_used',
])

/** Further parts of the totals, in OpenAI's details and in other vendors'. */
const furtherDetails: ReadonlySet<string> = new Set([
  'text_tokens',
  'audio_tokens',
  'image_tokens',
  'video_tokens',
  'accepted_prediction_tokens',
  'rejected_prediction_tokens',
])

/**
 * Usage in OpenAI's shape, from counts that are listed here only: vendors put the operator's costs into the
 * same object, under names of their own.
 */
export function formatUsage(usage: Usage): Record<string, unknown> {
  const raw = isChatUsage(usage.raw) ? usage.raw : {}
  const input = totalInputTokens(usage)
  const output = totalOutputTokens(usage)
  const counts = countsOf(raw, furtherCounts)
  counts['prompt_tokens'] = input
  counts['completion_tokens'] = output
  counts['total_tokens'] = input + output
  const prompt = countsOf(raw.prompt_tokens_details, furtherDetails)
  prompt['cached_tokens'] = (usage.cacheReadTokens ?? 0) + (usage.cacheReadAudioTokens ?? 0)
  prompt['cache_write_tokens'] = (usage.cacheWriteTokens ?? 0) + (usage.cacheWrite1hTokens ?? 0)
  counts['prompt_tokens_details'] = prompt
  const completion = countsOf(raw.completion_tokens_details, furtherDetails)
  completion['reasoning_tokens'] = usage.reasoningTokens ?? 0
  counts['completion_tokens_details'] = completion
  return counts
}

/** The counts of these names that are present, in an object of their own. */
function countsOf(holder: object | null | undefined, names: ReadonlySet<string>): Record<string, unknown> {
  const counts: Record<string, unknown> = {}
  if (typeof holder !== 'object' || holder === null) return counts
  for (const name in holder) {
    if (!names.has(name)) continue
    const tokens = tokenCount((holder as Record<string, unknown>)[name])
    if (tokens !== undefined) counts[name] = tokens
  }
  return counts
}

function isChatUsage(raw: unknown): raw is ChatUsage {
  return typeof raw === 'object' && raw !== null && 'prompt_tokens' in raw
}

/** Usage in OpenAI's shape with our cost: the exact amount as a string, and the same as a number. */
export function formatPricedUsage(usage: Usage, cost: Cost): Record<string, unknown> {
  const priced = formatUsage(usage)
  priced['cost_usd'] = cost.usd
  priced['cost'] = Number(cost.usd)
  return priced
}
