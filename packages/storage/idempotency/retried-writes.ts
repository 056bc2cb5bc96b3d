/** Pause between two attempts. */
const retryMs = 1_000
/** After this time, the client has given up or was served without this write. */
const retryForMs = 10 * 60 * 1000
/** More than a node ever has in progress at once. */
const mostPending = 1_000

interface PendingWrite {
  write: () => Promise<void>
  sinceMs: number
}

/**
 * Small writes that failed because the database was down, retried in the background. The database may have
 * carried out a write whose result was lost, so each must be safe to repeat, also after later writes.
 */
export class RetriedWrites {
  #pending: PendingWrite[] = []
  #timer: NodeJS.Timeout | undefined
  #attempt: Promise<void> | undefined
  #closed = false

  /** Makes the write now. If that fails, rejects and queues it for a retry. */
  async attempt(write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      this.owe(write)
      throw error
    }
  }

  owe(write: () => Promise<void>): void {
    if (this.#closed || this.#pending.length >= mostPending) return
    this.#pending.push({ write, sinceMs: performance.now() })
    this.#scheduleUnlessThere()
  }

  /** Tries the queued writes one last time. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#attempt
    await this.#tryAll()
  }

  #scheduleUnlessThere(): void {
    if (this.#closed || this.#timer !== undefined || this.#pending.length === 0) return
    this.#timer = setTimeout(() => {
      this.#attempt = this.#tryAll().finally(() => {
        this.#timer = undefined
        this.#scheduleUnlessThere()
      })
    }, retryMs).unref()
  }

  /** In their order, for as long as the database responds. */
  async #tryAll(): Promise<void> {
    for (let next = this.#pending[0]; next !== undefined; next = this.#pending[0]) {
      const done = await next.write().then(
        () => true,
        () => false,
      )
      const isOver = performance.now() - next.sinceMs > retryForMs
      if (!done && !isOver) return
      this.#pending.shift()
    }
  }
}
