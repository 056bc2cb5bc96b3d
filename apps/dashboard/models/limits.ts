import type { Schemas } from '../api/client.ts'
import { shortNumber } from '../format/number.ts'

/** `3,000 requests, 10M in, 2M out a minute`; undefined if there are no limits. */
export function limitWords(limits: Schemas['Model']['limits']): string | undefined {
  const words = [
    limits.requests_per_minute !== null && `${shortNumber(limits.requests_per_minute)} requests`,
    limits.input_tokens_per_minute !== null && `${shortNumber(limits.input_tokens_per_minute)} in`,
    limits.output_tokens_per_minute !== null && `${shortNumber(limits.output_tokens_per_minute)} out`,
  ].filter((one) => one !== false)
  return words.length === 0 ? undefined : `${words.join(', ')} a minute`
}
