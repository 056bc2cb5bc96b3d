import { totalInputTokens, type Usage } from '@turnpike/protocol'
import type { Cost } from '../bridge.ts'
import { isObject } from '../json/object.ts'
import { pricesOf } from './patch-usage.ts'
import { isMiscount, tokenCount } from './token-count.ts'

/* Usage of requests that are read alone, and answered without any tokens. */

/**
 * `{"prompt_tokens": 8, "total_tokens": 8}`, of which some vendors tell one. Undefined: it counts nothing.
 * @param prefersTotal where both are told: some tell in the total alone what they read again and again
 */
export function parseInputUsage(raw: unknown, prefersTotal = false): Usage | undefined {
  if (!isObject(raw)) return undefined
  const { prompt_tokens: prompt, total_tokens: total } = raw
  if (isMiscount(prompt) || isMiscount(total)) return { raw, disbelieved: 'implausible' }
  const [first, second] = prefersTotal ? [total, prompt] : [prompt, total]
  const inputTokens = tokenCount(first) ?? tokenCount(second)
  return inputTokens === undefined ? undefined : { inputTokens, raw }
}

/** Usage in OpenAI's shape, with what it cost. */
export function formatInputUsage(usage: Usage, cost: Cost): Record<string, unknown> {
  const tokens = totalInputTokens(usage)
  return { prompt_tokens: tokens, total_tokens: tokens, ...pricesOf(cost) }
}
