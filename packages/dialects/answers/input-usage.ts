import { totalInputTokens, type Usage } from '@turnpike/protocol'
import type { Cost } from '../bridge.ts'
import { isObject } from '../json/object.ts'
import { pricesOf } from './patch-usage.ts'
import { isMiscount, tokenCount } from './token-count.ts'

/* Usage of requests that only have input and generate no tokens. */

/**
 * Reads `{"prompt_tokens": 8, "total_tokens": 8}`, of which some vendors send only one. Undefined if it has
 * no count.
 * @param prefersTotal if both are present: some vendors count repeated reads only in the total
 */
export function parseInputUsage(raw: unknown, prefersTotal = false): Usage | undefined {
  if (!isObject(raw)) return undefined
  const { prompt_tokens: prompt, total_tokens: total } = raw
  if (isMiscount(prompt) || isMiscount(total)) return { raw, disbelieved: 'implausible' }
  const [first, second] = prefersTotal ? [total, prompt] : [prompt, total]
  const inputTokens = tokenCount(first) ?? tokenCount(second)
  return inputTokens === undefined ? undefined : { inputTokens, raw }
}

/** Usage in OpenAI's shape, with its cost. */
export function formatInputUsage(usage: Usage, cost: Cost): Record<string, unknown> {
  const tokens = totalInputTokens(usage)
  return { prompt_tokens: tokens, total_tokens: tokens, ...pricesOf(cost) }
}
