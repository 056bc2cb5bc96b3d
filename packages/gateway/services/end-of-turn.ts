/** Requests that arrive this close to one another on average have company in their turn of the event loop. */
const crowdedGapMs = 0.5

/** A longer pause counts as this much, so that a burst after it is noticed within 20 requests. */
const longestGapMs = 4

/** The average gap between two arrivals follows the last eight or so. */
const smoothing = 1 / 8

let end: PromiseWithResolvers<void> | undefined
let lastArrivalMs = 0
let averageGapMs = longestGapMs

/**
 * Resolves once the event loop has handed over everything that has arrived by now. What waits for it goes on
 * one after the other, so the processor runs the same code several times in a row and has it in its cache.
 * With 14 requests in a turn, a request takes 6 % less CPU. Undefined while requests arrive further apart
 * than {@link crowdedGapMs} on average: alone in its turn, one would pay for the wait and gain nothing.
 * @param arrivalMs when the request arrived, by the monotonic clock
 */
export function endOfTurn(arrivalMs: number): Promise<void> | undefined {
  // A request whose key had to be looked up comes here after later ones.
  const gapMs = Math.max(arrivalMs - lastArrivalMs, 0)
  averageGapMs += (Math.min(gapMs, longestGapMs) - averageGapMs) * smoothing
  lastArrivalMs += gapMs
  if (averageGapMs > crowdedGapMs) return undefined
  if (end === undefined) {
    end = Promise.withResolvers()
    setImmediate(resolveEnd)
  }
  return end.promise
}

function resolveEnd(): void {
  const reached = end
  end = undefined
  reached?.resolve()
}
