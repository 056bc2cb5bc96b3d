interface Count {
  attempts: number
  sinceMs: number
}

/** How many names are counted. No count stops an attacker with more addresses than this. */
const maxNames = 50_000

/** Counts attempts by name in time windows, in this node's memory. */
export class Throttle {
  readonly #counts = new Map<string, Count>()
  readonly #limit: number
  readonly #windowMs: number
  readonly #clock: () => number

  constructor(limit: number, windowMs: number, clock: () => number) {
    this.#limit = limit
    this.#windowMs = windowMs
    this.#clock = clock
  }

  /** Counts an attempt. Returns 0 if it is allowed, else the seconds until the next one is. */
  take(name: string): number {
    const nowMs = this.#clock()
    const count = this.#counts.get(name)
    if (count === undefined || nowMs - count.sinceMs >= this.#windowMs) {
      this.#counts.delete(name)
      this.#evict()
      this.#counts.set(name, { attempts: 1, sinceMs: nowMs })
      return 0
    }
    if (count.attempts >= this.#limit) return this.wait(name)
    count.attempts++
    return 0
  }

  /** As `take`, without counting. */
  wait(name: string): number {
    const count = this.#counts.get(name)
    if (count === undefined || count.attempts < this.#limit) return 0
    return Math.max(0, Math.ceil((count.sinceMs + this.#windowMs - this.#clock()) / 1000))
  }

  /** Takes the last attempt back, since it was not a wrong one. */
  giveBack(name: string): void {
    const count = this.#counts.get(name)
    if (count !== undefined && count.attempts > 0) count.attempts--
  }

  /** Forgets all attempts of a name. */
  clear(name: string): void {
    this.#counts.delete(name)
  }

  #evict(): void {
    if (this.#counts.size < maxNames) return
    for (const name of this.#counts.keys()) {
      this.#counts.delete(name)
      return
    }
  }
}
