/** Another one must be faster by so much of the first one's time to take its place. */
const clearly = 0.2
/** One request in so many begins with another one, so that its time is known. */
const everySoManyLooks = 20

/**
 * The order of some upstreams by their times. It changes only where one is clearly faster: two that are about
 * as fast would else take turns, and vendors' prompt caches with them.
 */
export class FastestFirst {
  #leader = 0
  #asked = 0
  #looked = 0

  /** The numbers of the times, the fastest first; those that are not known (undefined) stand behind. */
  order(timesMs: readonly (number | undefined)[]): number[] {
    const order = timesMs.map((_, index) => index)
    order.sort((a, b) => (timesMs[a] ?? Infinity) - (timesMs[b] ?? Infinity) || a - b)
    const [fastest] = order
    if (fastest === undefined) return order
    // There are fewer of them than there were.
    if (this.#leader >= timesMs.length) this.#leader = 0
    const leaderMs = timesMs[this.#leader]
    const fastestMs = timesMs[fastest]
    if (fastestMs !== undefined && (leaderMs === undefined || fastestMs < leaderMs * (1 - clearly)))
      this.#leader = fastest
    return inFront(this.#next(order, timesMs), order)
  }

  #next(order: readonly number[], timesMs: readonly (number | undefined)[]): number {
    if (++this.#asked % everySoManyLooks !== 0) return this.#leader
    const others = order.filter((index) => index !== this.#leader)
    const unknown = others.filter((index) => timesMs[index] === undefined)
    const candidates = unknown.length > 0 ? unknown : others
    return candidates[this.#looked++ % candidates.length] ?? this.#leader
  }
}

function inFront(first: number, order: readonly number[]): number[] {
  return [first, ...order.filter((index) => index !== first)]
}
