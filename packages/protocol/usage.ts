/**
 * Token counts in disjoint buckets: no token is in two of them, so each is priced once. A count that the
 * vendor did not report is `undefined`, never 0.
 */
export interface Usage {
  /** Input at the full price: neither read from a cache, nor written to one, nor in a bucket below. */
  inputTokens?: number
  cacheReadTokens?: number
  /** Written to a cache for 5 minutes, or for the lifetime of the vendor's only kind of cache. */
  cacheWriteTokens?: number
  cacheWrite1hTokens?: number
  inputAudioTokens?: number
  inputImageTokens?: number
  /** Audio read from a cache. */
  cacheReadAudioTokens?: number
  /** Output without reasoning, audio and images. */
  outputTokens?: number
  reasoningTokens?: number
  outputAudioTokens?: number
  outputImageTokens?: number
  /** Web searches by the vendor that it bills separately. */
  webSearches?: number
  /** What the vendor read of cited pages, if it bills that separately: neither input nor output. */
  citationTokens?: number
  /** The unit that a vendor bills a ranking by: a query with up to a fixed number of document chunks. */
  searchUnits?: number
  /**
   * Input tokens of the longest prompt, if the model read several for one answer: each prompt's length
   * decides whether the higher prices for long prompts apply.
   */
  longestPromptTokens?: number
  /** The service tier in which the vendor answered, by its name: `priority`. */
  serviceTier?: string
  /** Services that the vendor billed and that have no price here, by the names of `findUnpriced`. */
  unpriced?: string[]
  /** The vendor's own usage object, unchanged. */
  raw?: unknown
  /** True if the gateway counted: the vendor reported no figures, or none that can be charged. */
  estimated?: boolean
  /** Why the vendor's reported figures, which are in `raw`, are not charged as reported. */
  disbelieved?: DisbeliefReason
}

/** Why a vendor's usage is not charged as reported; also a metric's label. */
export const disbeliefReasons = [
  /** No token counts, or more than the model's context and the output bound allow. */
  'implausible',
  /** More output or searches than the hold, and more than the key's credit covers. */
  'beyond-hold',
] as const
export type DisbeliefReason = (typeof disbeliefReasons)[number]

/** The input buckets, in display order. */
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

/** What is counted and priced besides input and output. */
export const besideBuckets = ['webSearches', 'citationTokens', 'searchUnits'] as const

export const usageBuckets = [...inputBuckets, ...outputBuckets, ...besideBuckets] as const

export type InputBucket = (typeof inputBuckets)[number]
export type UsageBucket = (typeof usageBuckets)[number]

/** All input tokens, including cached and written ones: the sum of `inputBuckets`, spelled out for speed. */
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

/** All output tokens, including reasoning: the sum of `outputBuckets`. */
export function totalOutputTokens(usage: Usage): number {
  return (
    (usage.outputTokens ?? 0) +
    (usage.reasoningTokens ?? 0) +
    (usage.outputAudioTokens ?? 0) +
    (usage.outputImageTokens ?? 0)
  )
}
