/** The weight of the newest value in the average. */
const newest = 0.2

/** A moving average of times, in milliseconds, in which newer ones count more. */
export class Latency {
  #averageMs: number | undefined

  /** Undefined until there is a value. */
  get averageMs(): number | undefined {
    return this.#averageMs
  }

  add(timeMs: number): void {
    this.#averageMs =
      this.#averageMs === undefined ? timeMs : this.#averageMs + newest * (timeMs - this.#averageMs)
  }
}
