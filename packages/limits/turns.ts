import type { Rate } from './bucket.ts'

/** The latest turn that is given: callers may never return, and later callers wait behind their turns. */
const furthestMs = 10_000

/** The turns of one limit, each given to a rejected caller. */
export interface Turns {
  /** When the last turn is, in milliseconds on the limiter's clock. */
  lastMs: number
}

export function noTurns(): Turns {
  return { lastMs: 0 }
}

/**
 * How long a rejected caller must wait for its turn. Callers that arrive together and each return at their
 * own turn find one token each; if all returned at the first free moment, they would find only one together.
 * @param waitMs until the limit has a token at all
 */
export function nextTurnMs(turns: Turns, { perMinute }: Rate, waitMs: number, nowMs: number): number {
  const earliestMs = nowMs + waitMs
  const behindLastMs = turns.lastMs + 60_000 / perMinute
  // Beyond the latest turn they start again: then two callers share a turn, and one of them gets a new one.
  const isBehind = behindLastMs > earliestMs && behindLastMs <= earliestMs + furthestMs
  turns.lastMs = isBehind ? behindLastMs : earliestMs
  return Math.ceil(turns.lastMs - nowMs)
}
