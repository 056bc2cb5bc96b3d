/**
 * A token bucket, stored as its debt. It drains continuously, so no window boundary admits twice the limit:
 * within any t minutes at most `capacity + perMinute * t` are taken. The debt is counted in units of a
 * 60,000th of a token. A limit of n a minute then drains n units a millisecond, and all arithmetic is exact
 * in integers. `redis/script.ts` does the same in Lua.
 */

/** Milliseconds in a minute. */
const unitsPerToken = 60_000

/** The largest debt: sums stay exact below 2^53. */
const mostOwedUnits = 4e15

export interface Bucket {
  owedUnits: number
  /** When the debt was computed, in whole milliseconds; always of the same clock. */
  atMs: number
}

export interface Rate {
  perMinute: number
  /** How much an empty bucket admits at once. */
  capacity: number
}

/** The highest rate per minute: beyond it, units would not be exact. */
export const mostPerMinute = 1e10

export function emptyBucket(nowMs: number): Bucket {
  return { owedUnits: 0, atMs: nowMs }
}

/** Updates a bucket to this moment. If the clock was set back, what would have drained meanwhile is lost. */
export function drain(bucket: Bucket, { perMinute }: Rate, nowMs: number): void {
  const elapsedMs = nowMs - bucket.atMs
  bucket.atMs = nowMs
  if (elapsedMs > 0) bucket.owedUnits = Math.max(0, bucket.owedUnits - elapsedMs * perMinute)
}

/** Milliseconds until a drained bucket admits this many tokens; 0 for now. Waiting this long is enough. */
export function waitMsFor(bucket: Bucket, { perMinute, capacity }: Rate, tokens: number): number {
  const overUnits = bucket.owedUnits + (tokens - capacity) * unitsPerToken
  if (overUnits <= 0) return 0
  const waitMs = Math.ceil(overUnits / perMinute)
  // The quotient may have been rounded down to a whole number.
  return waitMs * perMinute < overUnits ? waitMs + 1 : waitMs
}

/** Adds to the debt. A negative number gives back, at most the whole debt. */
export function add(bucket: Bucket, tokens: number): void {
  bucket.owedUnits = Math.min(mostOwedUnits, Math.max(0, bucket.owedUnits + unitsOf(tokens)))
}

/** How many tokens a drained bucket admits now. */
export function remaining(bucket: Bucket, { capacity }: Rate): number {
  return Math.max(0, Math.floor(capacity - bucket.owedUnits / unitsPerToken))
}

/** Milliseconds until a drained bucket has no debt. */
export function fullInMs(bucket: Bucket, { perMinute }: Rate): number {
  return Math.ceil(bucket.owedUnits / perMinute)
}

export function unitsOf(tokens: number): number {
  return tokens * unitsPerToken
}
