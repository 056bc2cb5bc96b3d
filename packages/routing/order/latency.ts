/** How much of the average the newest value makes. */
const newest = 0.2

/** A moving average of times, in milliseconds; the newest count most. */
export class Latency {
  #averageMs: number | undefined

  /** Undefined until there is one. */
  get averageMs(): number | undefined {
    return this.#averageMs
  }

  add(timeMs: number): void {
    this.#averageMs =
      this.#averageMs === undefined ? timeMs : this.#averageMs + newest * (timeMs - this.#averageMs)
  }
}
