import type { Usage } from '@turnpike/protocol'
import { isMiscount, tokenCount } from '../../answers/token-count.ts'
import { isObject } from '../../json/object.ts'

/** OpenAI tells none; Mistral `{"prompt_tokens": 8, "total_tokens": 8}`. Undefined: it counts nothing. */
export function parseUsage(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const { prompt_tokens: prompt, total_tokens: total } = raw
  if (isMiscount(prompt) || isMiscount(total)) return { raw, disbelieved: 'implausible' }
  const inputTokens = tokenCount(prompt) ?? tokenCount(total)
  return inputTokens === undefined ? undefined : { inputTokens, raw }
}
