/**
 * A map of bounded size that forgets what was not used for a while: at once for all that is old, without a
 * timer for each and without looking at any.
 */
export class RecentMap<Value> {
  readonly #keptMs: number
  readonly #maxEntries: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()
  #turnedAtMs = -Infinity

  /**
   * An entry is kept for at least `keptMs` after its last use and at most twice as long, unless there are
   * more than `maxEntries`: then the longest unused ones go, of which never more than twice as many are kept.
   */
  constructor(keptMs: number, maxEntries: number) {
    this.#keptMs = keptMs
    this.#maxEntries = maxEntries
  }

  get size(): number {
    return this.#young.size + this.#old.size
  }

  get(key: string, nowMs: number): Value | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) {
      this.#old.delete(key)
      this.set(key, old, nowMs)
    }
    return old
  }

  set(key: string, value: Value, nowMs: number): void {
    if (this.#young.size >= this.#maxEntries || nowMs - this.#turnedAtMs >= this.#keptMs) this.#turn(nowMs)
    this.#young.set(key, value)
  }

  #turn(nowMs: number): void {
    this.#old = this.#young
    this.#young = new Map()
    this.#turnedAtMs = nowMs
  }
}
