/** A process that has served for so long starts again without its history. */
const soundAfterMs = 60_000

/** How late a process that ended by itself is started again: each time twice as late as before. */
export class RestartPause {
  readonly #firstMs: number
  readonly #longestMs: number
  #nextMs: number

  constructor(firstMs: number, longestMs: number) {
    this.#firstMs = firstMs
    this.#longestMs = longestMs
    this.#nextMs = firstMs
  }

  /** @param servedMs for how long the process had served; 0: not at all */
  next(servedMs: number): number {
    const pauseMs = servedMs > soundAfterMs ? this.#firstMs : this.#nextMs
    this.#nextMs = Math.min(2 * pauseMs, this.#longestMs)
    return pauseMs
  }
}
