import type { Usage } from '@turnpike/protocol'
import { isMiscount, tokenCount } from '../../answers/token-count.ts'
import { isObject } from '../../json/object.ts'

/** Reads what is billed from `{"billed_units": {"input_tokens": 12}}`. */
export function parseUsage(raw: unknown): Usage | undefined {
  const units = isObject(raw) ? raw['billed_units'] : undefined
  if (!isObject(units)) return undefined
  if (isMiscount(units['input_tokens'])) return { raw, disbelieved: 'implausible' }
  const inputTokens = tokenCount(units['input_tokens'])
  return inputTokens === undefined ? undefined : { inputTokens, raw }
}
