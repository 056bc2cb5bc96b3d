/** Background work with a limit of concurrent items. */
export class UnderWay {
  readonly #most: number
  readonly #running = new Set<Promise<unknown>>()
  readonly #all: Promise<void>[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** Resolves once there is room for more. */
  async add(work: Promise<void>): Promise<void> {
    this.#all.push(work)
    // `all` reports a rejection; until then it must not count as unhandled.
    const settled: Promise<unknown> = work.catch(() => undefined).then(() => this.#running.delete(settled))
    this.#running.add(settled)
    while (this.#running.size >= this.#most) await Promise.race(this.#running)
  }

  /** Rejects if any of the work did. */
  async all(): Promise<void> {
    await Promise.all(this.#all)
  }
}
