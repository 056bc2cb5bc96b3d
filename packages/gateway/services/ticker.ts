/** Something to check about once a second: an open stream, an attempt with a timeout. */
export interface Ticking {
  /** `nowMs` is on the monotonic clock. */
  tick(nowMs: number): void
}

const intervalMs = 1_000

/** One timer for all open requests: a timer for each would cost more than what it guards. */
export class Ticker {
  readonly #members = new Set<Ticking>()
  #timer: NodeJS.Timeout | undefined

  add(member: Ticking): void {
    this.#members.add(member)
    this.#timer ??= setInterval(() => this.#tick(), intervalMs).unref()
  }

  remove(member: Ticking): void {
    this.#members.delete(member)
  }

  #tick(): void {
    if (this.#members.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const nowMs = performance.now()
    for (const member of this.#members) member.tick(nowMs)
  }
}
