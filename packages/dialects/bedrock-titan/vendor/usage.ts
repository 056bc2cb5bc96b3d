import type { Usage } from '@turnpike/protocol'
import { isMiscount, tokenCount } from '../../answers/token-count.ts'

/** `{"inputTextTokenCount": 12}` */
export function parseUsage({ inputTextTokenCount }: Record<string, unknown>): Usage | undefined {
  const raw = { inputTextTokenCount }
  if (isMiscount(inputTextTokenCount)) return { raw, disbelieved: 'implausible' }
  const inputTokens = tokenCount(inputTextTokenCount)
  return inputTokens === undefined ? undefined : { inputTokens, raw }
}
