/** How much faster another upstream must be to become the first, as a share of the first one's time. */
const clearly = 0.2
/** One request in this many tries another upstream first, to measure its time. */
const everySoManyLooks = 20

/**
 * Orders upstreams by their times. The order only changes if one is clearly faster: upstreams of similar
 * speed would otherwise alternate, and lose their vendors' prompt caches.
 */
export class FastestFirst {
  #leader = 0
  #requests = 0
  #looked = 0

  /** The indexes of the times, the fastest first; unknown times (undefined) go to the end. */
  order(timesMs: readonly (number | undefined)[]): number[] {
    const order = timesMs.map((_, index) => index)
    order.sort((a, b) => (timesMs[a] ?? Infinity) - (timesMs[b] ?? Infinity) || a - b)
    const [fastest] = order
    if (fastest === undefined) return order
    // There are fewer upstreams than before.
    if (this.#leader >= timesMs.length) this.#leader = 0
    const leaderMs = timesMs[this.#leader]
    const fastestMs = timesMs[fastest]
    if (fastestMs !== undefined && (leaderMs === undefined || fastestMs < leaderMs * (1 - clearly)))
      this.#leader = fastest
    return inFront(this.#next(order, timesMs), order)
  }

  #next(order: readonly number[], timesMs: readonly (number | undefined)[]): number {
    if (++this.#requests % everySoManyLooks !== 0) return this.#leader
    const others = order.filter((index) => index !== this.#leader)
    const unknown = others.filter((index) => timesMs[index] === undefined)
    const candidates = unknown.length > 0 ? unknown : others
    return candidates[this.#looked++ % candidates.length] ?? this.#leader
  }
}

function inFront(first: number, order: readonly number[]): number[] {
  return [first, ...order.filter((index) => index !== first)]
}
