/** Something to check regularly: an open stream, a call with time limits. */
export interface Ticking {
  /** Its place in the ticker that it was added to; only the ticker changes it. */
  place: number
  /** `nowMs` is on the monotonic clock. */
  tick(nowMs: number): void
}

const usualIntervalMs = 1_000

/** One timer for all open requests: a timer for each would cost more than what it guards. */
export class Ticker {
  readonly intervalMs: number
  /**
   * Not a `Set`: when one grows or shrinks, V8 makes a new table, and the old one keeps the new one alive.
   * Once an old table is in the old generation, later members stay in memory until a major collection.
   */
  readonly #members: Ticking[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(intervalMs = usualIntervalMs) {
    this.intervalMs = intervalMs
  }

  /** A member of one ticker at most, and only once. */
  add(member: Ticking): void {
    member.place = this.#members.push(member) - 1
    this.#timer ??= setInterval(() => this.#tick(), this.intervalMs).unref()
  }

  /** Does nothing if it is not a member. */
  remove(member: Ticking): void {
    const { place } = member
    if (this.#members[place] !== member) return
    const last = this.#members.pop()!
    if (last === member) return
    this.#members[place] = last
    last.place = place
  }

  #tick(): void {
    if (this.#members.length === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    const nowMs = performance.now()
    // From the end, because a member that leaves is replaced by the last one, which was checked already.
    for (let place = this.#members.length - 1; place >= 0; place--) this.#members[place]?.tick(nowMs)
  }
}
