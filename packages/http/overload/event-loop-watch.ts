const sampleEveryMs = 100
/** A collection, or a process that was halted, is one late turn; too much work is one after the other. */
const lateTurnsInARow = 5

/**
 * Whether the event loop has more to do than it gets done. As in CoDel (RFC 8289, section 3), what tells is
 * not the longest delay but the shortest of some time: work that stands and waits.
 */
export class EventLoopWatch {
  readonly #maxDelayMs: number
  readonly #timer: NodeJS.Timeout
  #dueAtMs = performance.now() + sampleEveryMs
  #lateTurns = 0

  constructor(maxDelayMs: number) {
    this.#maxDelayMs = maxDelayMs
    this.#timer = setInterval(() => this.sample(performance.now()), sampleEveryMs).unref()
  }

  get isLate(): boolean {
    return this.#lateTurns >= lateTurnsInARow
  }

  /** Notes how late the timer is; called by the timer. */
  sample(nowMs: number): void {
    this.#lateTurns = nowMs - this.#dueAtMs > this.#maxDelayMs ? this.#lateTurns + 1 : 0
    this.#dueAtMs = nowMs + sampleEveryMs
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
