import type { Rate } from './bucket.ts'

/** Nobody is sent further ahead: who was told so may never come, and the next ones wait behind it. */
const furthestMs = 10_000

/** The turns that were given of one limit, each to a caller who was refused. */
export interface Turns {
  /** When the last of them is, in milliseconds of the limiter's clock. */
  lastMs: number
}

export function noTurns(): Turns {
  return { lastMs: 0 }
}

/**
 * How long a refused caller is to wait for its turn. Callers that came together and come back each in its own
 * turn find a token each, where all of them at the first free moment would find one.
 * @param waitMs until the limit has a token at all
 */
export function nextTurnMs(turns: Turns, { perMinute }: Rate, waitMs: number, nowMs: number): number {
  const earliestMs = nowMs + waitMs
  const behindLastMs = turns.lastMs + 60_000 / perMinute
  // Beyond the furthest turn they begin again: two have one, and one of them will be told another.
  const isBehind = behindLastMs > earliestMs && behindLastMs <= earliestMs + furthestMs
  turns.lastMs = isBehind ? behindLastMs : earliestMs
  return Math.ceil(turns.lastMs - nowMs)
}
