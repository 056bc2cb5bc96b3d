/**
 * Counts in disjoint buckets: no token is in two of them, so each is priced once. A count the vendor did not
 * give is `undefined`, never 0.
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
  /** Audio that was read from a cache. */
  cacheReadAudioTokens?: number
  /** Output without reasoning, audio and images. */
  outputTokens?: number
  reasoningTokens?: number
  outputAudioTokens?: number
  outputImageTokens?: number
  /** Searches of the web that the vendor made for the answer and bills apart. */
  webSearches?: number
  /** What the vendor read of the pages that it cites, where it bills that apart: neither input nor output. */
  citationTokens?: number
  /** What a vendor bills a ranking by: a query with up to so many pieces of documents. */
  searchUnits?: number
  /**
   * Input tokens of the longest prompt, where the model read several for one answer: whether a prompt is so
   * long that it costs more is asked of each.
   */
  longestPromptTokens?: number
  /** In which of its service tiers the vendor answered, in its own word: `priority`. */
  serviceTier?: string
  /** What the vendor bills besides, for which there was no price: by the names of `findUnpriced`. */
  unpriced?: string[]
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
  /** More output or searches than was held for, and than the key's credit covers. */
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
  'cacheReadAudioTokens',
] as const

export const outputBuckets = [
  'outputTokens',
  'reasoningTokens',
  'outputAudioTokens',
  'outputImageTokens',
] as const

/** What is counted and priced beside input and output. */
export const besideBuckets = ['webSearches', 'citationTokens', 'searchUnits'] as const

export const usageBuckets = [...inputBuckets, ...outputBuckets, ...besideBuckets] as const

export type InputBucket = (typeof inputBuckets)[number]
export type UsageBucket = (typeof usageBuckets)[number]

/** All tokens in, cached and written ones included: the sum of `inputBuckets`, each by its name for speed. */
export function totalInputTokens(usage: Usage): number {
  return (
    (usage.inputTokens ?? 0) +
    (usage.cacheReadTokens ?? 0) +
    (usage.cacheWriteTokens ?? 0) +
    (usage.cacheWrite1hTokens ?? 0) +
    (usage.inputAudioTokens ?? 0) +
    (usage.inputImageTokens ?? 0) +
    (usage.cacheReadAudioTokens ?? 0)
  )
}

/** All tokens out, reasoning included: the sum of `outputBuckets`. */
export function totalOutputTokens(usage: Usage): number {
  return (
    (usage.outputTokens ?? 0) +
    (usage.reasoningTokens ?? 0) +
    (usage.outputAudioTokens ?? 0) +
    (usage.outputImageTokens ?? 0)
  )
}
