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
  /**
   * True where the gateway counted, since the vendor gave no numbers, or none that are charged as they
   * came.
   */
  estimated?: boolean
  /** Why numbers that the vendor gave, which stand in `raw`, are not charged as they came. */
  disbelieved?: DisbeliefReason
}

/** Why a vendor's usage is not charged as it came, as a metric's label. */
export const disbeliefReasons = [
  /** No count of tokens, or more than the model's context and the bound have room for. */
  'implausible',
  /** More output than was held for, and than the key's credit covers. */
  'beyond-hold',
] as const
export type DisbeliefReason = (typeof disbeliefReasons)[number]

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
