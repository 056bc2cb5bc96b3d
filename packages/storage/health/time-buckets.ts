/**
 * Histograms of durations. Their buckets never change, so that those of any hours, keys and nodes add up.
 * With four buckets per doubling, a percentile is at most 9 % off (2^(1/8)), between 16 ms and 17 minutes.
 */
export const timeBucketCount = 64
const firstMs = 16
const bucketsADoubling = 4

/** Durations below the first bound go into the first bucket, those above the last into the last. */
export function timeBucketOf(ms: number): number {
  if (ms < firstMs) return 0
  return Math.min(timeBucketCount - 1, Math.floor(bucketsADoubling * Math.log2(ms / firstMs)))
}

/**
 * The duration that this share of the requests did not exceed: the geometric middle of the bucket that
 * contains it. Whole milliseconds; null for no requests.
 * @param counts requests by bucket
 * @param share 0.95 for p95
 */
export function percentileMs(counts: readonly number[], share: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  const rank = Math.max(1, Math.ceil(all * share))
  let seen = 0
  const bucket = counts.findIndex((count) => (seen += count) >= rank)
  return Math.round(firstMs * 2 ** ((bucket + 0.5) / bucketsADoubling))
}

/** Both histograms share one column per bucket: the second is in its upper half. */
const upperHalf = 1n << 32n

/** Added to the bucket of the duration, and to that of the first token. Exact up to two million requests. */
export const wholeTime = 1
export const firstTokenTime = 2 ** 32

export function splitTimes(sum: bigint): { whole: number; firstToken: number } {
  return { whole: Number(sum % upperHalf), firstToken: Number(sum / upperHalf) }
}
