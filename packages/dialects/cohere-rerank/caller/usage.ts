import { totalInputTokens, type Usage } from '@turnpike/protocol'
import { pricesOf } from '../../answers/patch-usage.ts'
import type { Cost } from '../../bridge.ts'

/** Cohere sends usage only in `meta`, Jina only in `usage`. Callers of both find it, with its cost. */
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

/** What was billed, in the form of `meta.billed_units`. */
export function formatBilledUnits(usage: Usage): Record<string, number> {
  const { searchUnits } = usage
  return searchUnits === undefined ? { input_tokens: totalInputTokens(usage) } : { search_units: searchUnits }
}
