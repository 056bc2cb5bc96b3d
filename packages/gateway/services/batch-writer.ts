import { GatewayError } from '@turnpike/protocol'

/** How long an item waits for others to be written with. */
const writeDelayMs = 20
const mostOfBatch = 32
const mostBatchBytes = 8 * 1024 * 1024
const firstRetryMs = 250
const longestRetryMs = 10_000
/** How long a stopping node may take to write what waits. */
const closingMs = 10_000

export interface BatchParts<Item> {
  /**
   * @throws {GatewayError} 503 if the database is unavailable: the whole batch is retried
   * @throws if it rejects one of the items
   */
  write(batch: readonly Item[]): Promise<void>
  onAway(error: unknown, waiting: number, retryMs: number): void
  /** Called for an item that the database rejects, so that it does not block the others. */
  onRefused(item: Item, error: unknown): void
}

/** Writes items to the database after their requests, in batches and in order. */
export class BatchWriter<Item extends { bytes: number }> {
  readonly #parts: BatchParts<Item>
  readonly #waiting = new Map<string, Item>()
  #bytes = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #retryMs = 0
  #isClosed = false

  constructor(parts: BatchParts<Item>) {
    this.#parts = parts
  }

  /** Bytes that wait. */
  get bytes(): number {
    return this.#bytes
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  add(id: string, item: Item): void {
    this.#waiting.set(id, item)
    this.#bytes += item.bytes
    this.#schedule(this.#retryMs || writeDelayMs)
  }

  get(id: string): Item | undefined {
    return this.#waiting.get(id)
  }

  items(): Iterable<Item> {
    return this.#waiting.values()
  }

  forget(id: string): void {
    const item = this.#waiting.get(id)
    if (item === undefined) return
    this.#waiting.delete(id)
    this.#bytes -= item.bytes
  }

  /** Writes all that waits, one run at a time. Never rejects: what the database did not take is retried. */
  run(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
      if (this.#waiting.size > 0) this.#schedule(this.#retryMs || writeDelayMs)
    })
    return this.#writing
  }

  /** Resolves once everything is written, or the time is up, with the number of lost items. */
  async close(): Promise<number> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    const deadlineMs = performance.now() + closingMs
    this.#retryMs = 0
    await this.run()
    while (this.#waiting.size > 0 && performance.now() < deadlineMs) {
      await new Promise((resolve) => setTimeout(resolve, firstRetryMs))
      await this.run()
    }
    return this.#waiting.size
  }

  #schedule(delayMs: number): void {
    if (this.#isClosed || this.#writing !== undefined) return
    this.#timer ??= setTimeout(() => void this.run(), delayMs).unref()
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = this.#nextBatch()
      try {
        await this.#write(batch)
        this.#retryMs = 0
      } catch (error) {
        this.#retryMs = Math.min(Math.max(firstRetryMs, this.#retryMs * 2), longestRetryMs)
        this.#parts.onAway(error, this.#waiting.size, this.#retryMs)
        return
      }
    }
  }

  #nextBatch(): [string, Item][] {
    const batch: [string, Item][] = []
    let bytes = 0
    for (const entry of this.#waiting) {
      const more = entry[1].bytes
      if (batch.length > 0 && (batch.length === mostOfBatch || bytes + more > mostBatchBytes)) break
      batch.push(entry)
      bytes += more
    }
    return batch
  }

  /** @throws if the database is unavailable */
  async #write(batch: readonly [string, Item][]): Promise<void> {
    try {
      await this.#parts.write(batch.map(([, item]) => item))
    } catch (error) {
      if (isAway(error)) throw error
      if (batch.length > 1) for (const one of batch) await this.#write([one])
      else this.#parts.onRefused(batch[0]![1], error)
    }
    for (const [id] of batch) this.forget(id)
  }
}

function isAway(error: unknown): boolean {
  return error instanceof GatewayError && error.type === 'service_unavailable'
}
