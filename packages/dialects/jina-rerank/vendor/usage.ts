import type { Usage } from '@turnpike/protocol'
import { isMiscount, tokenCount } from '../../answers/token-count.ts'
import { isObject } from '../../json/object.ts'

/** `{"total_tokens": 38}`: all of them are read. Undefined: it counts nothing. */
export function parseUsage(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const { prompt_tokens: prompt, total_tokens: total } = raw
  if (isMiscount(prompt) || isMiscount(total)) return { raw, disbelieved: 'implausible' }
  // A vendor that reads the query once for each document tells that in the total alone.
  const inputTokens = tokenCount(total) ?? tokenCount(prompt)
  return inputTokens === undefined ? undefined : { inputTokens, raw }
}
