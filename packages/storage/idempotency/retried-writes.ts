/** Between two attempts. */
const retryMs = 1_000
/** Whoever had asked by then has given up, or was served as if it had not been owed. */
const owedForMs = 10 * 60 * 1000
/** More than a node has under way at a time. */
const mostOwed = 1_000

interface PendingWrite {
  write: () => Promise<void>
  sinceMs: number
}

/**
 * Small writes that the database was away for, done again until they succeed, behind the requests' backs. It
 * may have carried a write out of which it could not tell any more: each must bear being done twice, and
 * after others.
 */
export class RetriedWrites {
  #owed: PendingWrite[] = []
  #timer: NodeJS.Timeout | undefined
  #attempt: Promise<void> | undefined
  #closed = false

  /** Does it now, and rejects where that fails; then it is owed. */
  async attempt(write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      this.owe(write)
      throw error
    }
  }

  owe(write: () => Promise<void>): void {
    if (this.#closed || this.#owed.length >= mostOwed) return
    this.#owed.push({ write, sinceMs: performance.now() })
    this.#scheduleUnlessThere()
  }

  /** Tries what is owed for the last time. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#attempt
    await this.#tryAll()
  }

  #scheduleUnlessThere(): void {
    if (this.#closed || this.#timer !== undefined || this.#owed.length === 0) return
    this.#timer = setTimeout(() => {
      this.#attempt = this.#tryAll().finally(() => {
        this.#timer = undefined
        this.#scheduleUnlessThere()
      })
    }, retryMs).unref()
  }

  /** In the order in which they came, as far as the database answers. */
  async #tryAll(): Promise<void> {
    for (let next = this.#owed[0]; next !== undefined; next = this.#owed[0]) {
      const done = await next.write().then(
        () => true,
        () => false,
      )
      const isOver = performance.now() - next.sinceMs > owedForMs
      if (!done && !isOver) return
      this.#owed.shift()
    }
  }
}
