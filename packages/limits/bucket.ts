/*
 * A token bucket, kept as what is owed to it. It drains without pause, so no edge of a window lets twice the
 * limit through: within any t minutes at most `capacity + perMinute * t` are taken.
 *
 * Owed is counted in units of a 60,000th token. A limit of n a minute then takes n units off each
 * millisecond, and all is exact in integers. `redis/script.ts` does the same in Lua.
 */

/** Milliseconds a minute. */
const unitsPerToken = 60_000

/** More cannot be owed: sums stay exact below 2^53. */
const mostOwedUnits = 4e15

export interface Bucket {
  owedUnits: number
  /** When that was true, in whole milliseconds of any clock, always the same one. */
  atMs: number
}

export interface Rate {
  perMinute: number
  /** What may be taken at once from a bucket that owes nothing. */
  capacity: number
}

/** Beyond this, units would not be exact: the most that a limit may allow a minute. */
export const mostPerMinute = 1e10

export function emptyBucket(nowMs: number): Bucket {
  return { owedUnits: 0, atMs: nowMs }
}

/** Brings a bucket to this moment. A clock that was set back costs what would have drained until then. */
export function drain(bucket: Bucket, { perMinute }: Rate, nowMs: number): void {
  const elapsedMs = nowMs - bucket.atMs
  bucket.atMs = nowMs
  if (elapsedMs > 0) bucket.owedUnits = Math.max(0, bucket.owedUnits - elapsedMs * perMinute)
}

/** How long until so many can be taken of a drained bucket; 0: at once. Waiting for so long is enough. */
export function waitMsFor(bucket: Bucket, { perMinute, capacity }: Rate, tokens: number): number {
  const overUnits = bucket.owedUnits + (tokens - capacity) * unitsPerToken
  if (overUnits <= 0) return 0
  const waitMs = Math.ceil(overUnits / perMinute)
  // The quotient may have been rounded down to a whole number.
  return waitMs * perMinute < overUnits ? waitMs + 1 : waitMs
}

/** Takes, or gives back where `tokens` is below 0: never more than is owed. */
export function add(bucket: Bucket, tokens: number): void {
  bucket.owedUnits = Math.min(mostOwedUnits, Math.max(0, bucket.owedUnits + unitsOf(tokens)))
}

/** What can be taken of a drained bucket now. */
export function remaining(bucket: Bucket, { capacity }: Rate): number {
  return Math.max(0, Math.floor(capacity - bucket.owedUnits / unitsPerToken))
}

/** How long until a drained bucket owes nothing. */
export function fullInMs(bucket: Bucket, { perMinute }: Rate): number {
  return Math.ceil(bucket.owedUnits / perMinute)
}

export function unitsOf(tokens: number): number {
  return tokens * unitsPerToken
}
