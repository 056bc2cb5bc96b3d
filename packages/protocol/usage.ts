/**
 * Token counts in disjoint buckets: no token is in two of them, so each is priced once. A count the
 * vendor did not give is `undefined`, never 0.
 */
export interface Usage {
  /** Input read at the full price: neither from a cache, nor written to one, nor counted below. */
  inputTokens?: number
  cacheReadTokens?: number
  /** Written to a cache that lives 5 minutes (or for as long as the vendor's only kind lives). */
  cacheWriteTokens?: number
  cacheWrite1hTokens?: number
  inputAudioTokens?: number
  inputImageTokens?: number
  /** Output without reasoning and audio. */
  outputTokens?: number
  reasoningTokens?: number
  outputAudioTokens?: number
  /** The vendor's own usage object, as it came. */
  raw?: unknown
  /** True where a tokenizer of ours counted, since the vendor gave no numbers. */
  estimated?: boolean
}

/** The buckets of the input, in the order in which they are shown. */
export const inputBuckets = [
  'inputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'cacheWrite1hTokens',
  'inputAudioTokens',
  'inputImageTokens',
] as const

export const outputBuckets = ['outputTokens', 'reasoningTokens', 'outputAudioTokens'] as const

export type InputBucket = (typeof inputBuckets)[number]
export type UsageBucket = InputBucket | (typeof outputBuckets)[number]

/** All tokens in, cached and written ones included. */
export function totalInputTokens(usage: Usage): number {
  let total = 0
  for (const bucket of inputBuckets) total += usage[bucket] ?? 0
  return total
}

/** All tokens out, reasoning included. */
export function totalOutputTokens(usage: Usage): number {
  let total = 0
  for (const bucket of outputBuckets) total += usage[bucket] ?? 0
  return total
}
