/** A repeating event; returns false when it is over. */
export interface Beating {
  intervalMs: number
  beat(): boolean
}

/**
 * One timer for all streams, since thousands of timers would make the load server the bottleneck. Each stream
 * is in the slot of the turn at which it is due, so a turn touches only those. Streams are spread evenly over
 * the turns of their interval, however fast they were opened, because an event's cost in a proxy depends on
 * how many arrive at once.
 */
export class LoadWheel {
  readonly #turnMs: number
  readonly #slots = new Map<number, Beating[]>()
  #turn = 0
  #startedAtMs = 0
  #timer: NodeJS.Timeout | undefined
  #count = 0
  #added = 0

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
    const now = Math.floor((performance.now() - this.#startedAtMs) / this.#turnMs)
    const turns = this.#turnsOf(beating)
    const wait = (((this.#added++ - now) % turns) + turns) % turns
    this.#place(beating, now + 1 + wait)
  }

  #turnsOf({ intervalMs }: Beating): number {
    return Math.max(1, Math.round(intervalMs / this.#turnMs))
  }

  #place(beating: Beating, due: number): void {
    const turn = Math.max(this.#turn + 1, due)
    const slot = this.#slots.get(turn)
    if (slot === undefined) this.#slots.set(turn, [beating])
    else slot.push(beating)
  }

  /** Handles all turns up to now: an interval that fires late delays beats, but drops none. */
  #catchUp(): void {
    const now = Math.floor((performance.now() - this.#startedAtMs) / this.#turnMs)
    while (this.#turn < now) {
      this.#turn++
      const slot = this.#slots.get(this.#turn)
      if (slot === undefined) continue
      this.#slots.delete(this.#turn)
      for (const beating of slot) {
        if (beating.beat()) this.#place(beating, this.#turn + this.#turnsOf(beating))
        else this.#count--
      }
    }
    if (this.#count > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
