import { totalInputTokens, type Usage } from '@turnpike/protocol'
import { pricesOf } from '../../answers/patch-usage.ts'
import type { Cost } from '../../bridge.ts'

/** Cohere tells usage in `meta` alone, Jina in `usage` alone: callers of both find it, with what it cost. */
export function formatPricedUsage(usage: Usage, cost: Cost): Record<string, unknown> {
  const { searchUnits } = usage
  const tokens = totalInputTokens(usage)
  return {
    ...(searchUnits === undefined
      ? { prompt_tokens: tokens, total_tokens: tokens }
      : { search_units: searchUnits }),
    ...pricesOf(cost),
  }
}

/** What was billed, as `meta.billed_units` has it. */
export function formatBilledUnits(usage: Usage): Record<string, number> {
  const { searchUnits } = usage
  return searchUnits === undefined ? { input_tokens: totalInputTokens(usage) } : { search_units: searchUnits }
}
