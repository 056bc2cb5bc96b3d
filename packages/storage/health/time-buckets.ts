/**
 * Histograms of times, in buckets that are the same for ever, so that those of any hours, keys and nodes add
 * up. Four buckets to the doubling: a percentile that is read from them is at most 9 % off (2^(1/8)), between
 * 16 ms and 17 minutes.
 */
export const timeBucketCount = 64
const firstMs = 16
const bucketsADoubling = 4

/** What is shorter than the first bound is in the first bucket, what is longer than the last in the last. */
export function timeBucketOf(ms: number): number {
  if (ms < firstMs) return 0
  return Math.min(timeBucketCount - 1, Math.floor(bucketsADoubling * Math.log2(ms / firstMs)))
}

/**
 * The time within which so large a share of the requests were: the middle, by its logarithm, of the bucket
 * in which that one is. Whole milliseconds; null of none.
 * @param counts requests by bucket
 * @param share 0.95: p95
 */
export function percentileMs(counts: readonly number[], share: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  const wanted = Math.max(1, Math.ceil(all * share))
  let seen = 0
  const bucket = counts.findIndex((count) => (seen += count) >= wanted)
  return Math.round(firstMs * 2 ** ((bucket + 0.5) / bucketsADoubling))
}

/** Both histograms travel in one column each bucket: the second in its upper half. */
const upperHalf = 1n << 32n

/** What a request adds to its bucket of whole times, and to that of first tokens. Exact for two million of them. */
export const wholeTime = 1
export const firstTokenTime = 2 ** 32

export function splitTimes(sum: bigint): { whole: number; firstToken: number } {
  return { whole: Number(sum % upperHalf), firstToken: Number(sum / upperHalf) }
}
