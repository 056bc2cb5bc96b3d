const sampleEveryMs = 100
/** Garbage collection or a suspended process delays one turn; too much work delays several in a row. */
const lateTurnsInARow = 5

/**
 * Detects that the event loop has more work than it can do. As in CoDel (RFC 8289, section 3), the measure is
 * not the longest but the shortest delay over some time, which shows a standing queue.
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

  /** Records how late the timer is; called by the timer. */
  sample(nowMs: number): void {
    this.#lateTurns = nowMs - this.#dueAtMs > this.#maxDelayMs ? this.#lateTurns + 1 : 0
    this.#dueAtMs = nowMs + sampleEveryMs
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
