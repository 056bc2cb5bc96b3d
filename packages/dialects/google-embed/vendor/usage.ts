import type { Usage } from '@turnpike/protocol'
import { tokenCount } from '../../answers/token-count.ts'
import { isObject } from '../../json/object.ts'

/** Most models report none; then the gateway counts. */
export function parseUsage(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const inputTokens = tokenCount(raw['promptTokenCount']) ?? tokenCount(raw['totalTokenCount'])
  return inputTokens === undefined ? undefined : { inputTokens, raw }
}
