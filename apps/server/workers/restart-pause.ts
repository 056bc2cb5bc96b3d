/** A process that has served for longer than this restarts without a growing pause. */
const soundAfterMs = 60_000

/** The pause before a process that exited on its own is restarted. It doubles each time. */
export class RestartPause {
  readonly #firstMs: number
  readonly #longestMs: number
  #nextMs: number

  constructor(firstMs: number, longestMs: number) {
    this.#firstMs = firstMs
    this.#longestMs = longestMs
    this.#nextMs = firstMs
  }

  /** @param servedMs how long the process had served; 0: not at all */
  next(servedMs: number): number {
    const pauseMs = servedMs > soundAfterMs ? this.#firstMs : this.#nextMs
    this.#nextMs = Math.min(2 * pauseMs, this.#longestMs)
    return pauseMs
  }
}
