/** Work that goes on behind its starter's back, so much of it at once and no more. */
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
    // Its rejection is for `all` to tell; until then it is not unhandled.
    const settled: Promise<unknown> = work.catch(() => undefined).then(() => this.#running.delete(settled))
    this.#running.add(settled)
    while (this.#running.size >= this.#most) await Promise.race(this.#running)
  }

  /** Rejects where any of it did. */
  async all(): Promise<void> {
    await Promise.all(this.#all)
  }
}
