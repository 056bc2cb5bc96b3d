import { totalInputTokens, type Usage } from '@turnpike/protocol'
import { pricesOf } from '../../answers/patch-usage.ts'
import type { Cost } from '../../bridge.ts'

/** OpenAI tells none: ours has what it tells elsewhere, with what it cost. */
export function formatPricedUsage(usage: Usage, cost: Cost): Record<string, unknown> {
  const tokens = totalInputTokens(usage)
  return { prompt_tokens: tokens, total_tokens: tokens, ...pricesOf(cost) }
}
