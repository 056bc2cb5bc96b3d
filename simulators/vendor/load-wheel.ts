/** Something that is due again and again; false when it is over. */
export interface Beating {
  intervalMs: number
  beat(): boolean
}

/**
 * One timer for all streams: thousands of timers would be the load server's own bottleneck. Each stream is
 * in the slot of the turn it is due at, so a turn touches only those.
 */
export class LoadWheel {
  readonly #turnMs: number
  readonly #slots = new Map<number, Beating[]>()
  #turn = 0
  #startedAtMs = 0
  #timer: NodeJS.Timeout | undefined
  #count = 0

  constructor(turnMs: number = 5) {
    this.#turnMs = turnMs
  }

  add(beating: Beating): void {
    if (this.#timer === undefined) {
      this.#startedAtMs = performance.now()
      this.#turn = 0
      this.#timer = setInterval(() => this.#catchUp(), this.#turnMs)
    }
    this.#count++
    this.#place(beating, Math.floor((performance.now() - this.#startedAtMs) / this.#turnMs))
  }

  #place(beating: Beating, now: number): void {
    const turn = Math.max(this.#turn + 1, now + Math.max(1, Math.round(beating.intervalMs / this.#turnMs)))
    const slot = this.#slots.get(turn)
    if (slot === undefined) this.#slots.set(turn, [beating])
    else slot.push(beating)
  }

  /** All turns up to now: an interval that fires late makes beats late, never fewer. */
  #catchUp(): void {
    const now = Math.floor((performance.now() - this.#startedAtMs) / this.#turnMs)
    while (this.#turn < now) {
      this.#turn++
      const slot = this.#slots.get(this.#turn)
      if (slot === undefined) continue
      this.#slots.delete(this.#turn)
      for (const beating of slot) {
        if (beating.beat()) this.#place(beating, this.#turn)
        else this.#count--
      }
    }
    if (this.#count > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
