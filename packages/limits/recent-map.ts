/** A bounded map that forgets unused entries: all old ones at once, without timers or a scan. */
export class RecentMap<Value> {
  readonly #keptMs: number
  readonly #maxEntries: number
  #young = new Map<string, Value>()
  #old = new Map<string, Value>()
  #turnedAtMs = -Infinity

  /**
   * Keeps an entry for at least `keptMs` after its last use and at most twice as long. With more than
   * `maxEntries`, the least recently used ones go; at most twice as many are kept.
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
