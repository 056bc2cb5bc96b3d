import type { NewEvent } from '@turnpike/notify'
import type { Storage } from '@turnpike/storage'

const everyMs = 5_000
const rulesAtOnce = 200
/** Events that one node keeps while the database is unavailable. */
const mostWaiting = 1_000

interface AlertWatchParts {
  storage: Pick<Storage, 'alerts' | 'deliveries' | 'events'>
  clock: () => number
  onFailure: (error: unknown) => void
}

/**
 * Every few seconds, checks the alert rules that are due, and writes the events that requests have caused.
 * Requests never wait for it.
 */
export class AlertWatch {
  readonly #parts: AlertWatchParts
  /** By dedupe key, so that an event that occurs a thousand times is written once. */
  readonly #seen = new Map<string, NewEvent>()
  /** By budget: the most that the refused request would have cost. */
  readonly #refused = new Map<string, bigint>()
  #timer: NodeJS.Timeout | undefined
  #running = Promise.resolve()
  #stopped = false
  #waiting: Awaited<ReturnType<Storage['deliveries']['waiting']>> = { count: 0, sinceMs: null }

  constructor(parts: AlertWatchParts) {
    this.#parts = parts
  }

  start(): void {
    this.#next()
  }

  /** Queues an event to be written soon. */
  note(event: NewEvent & { dedupeKey: string }): void {
    if (this.#seen.size < mostWaiting) this.#seen.set(event.dedupeKey, event)
  }

  /** As of a few seconds ago. */
  get waiting(): { count: number; sinceMs: number | null } {
    return this.#waiting
  }

  /** Notes that a budget refused a request, so that alerts at 100 % are sent soon. */
  noteRefusal(budgetId: string, neededPico: bigint): void {
    if (this.#refused.size < mostWaiting && !this.#refused.has(budgetId))
      this.#refused.set(budgetId, neededPico)
  }

  /** Resolves when it no longer uses the storage. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  #next(): void {
    if (this.#stopped) return
    this.#timer = setTimeout(() => {
      this.#running = this.#look().catch((error: unknown) => this.#parts.onFailure(error))
      void this.#running.then(() => this.#next())
    }, everyMs).unref()
  }

  async #look(): Promise<void> {
    const { storage, clock, onFailure } = this.#parts
    for (const [key, event] of this.#seen) {
      await storage.events.raise(event).then(() => this.#seen.delete(key), onFailure)
      if (this.#stopped) return
    }
    for (const [budgetId, neededPico] of this.#refused) {
      const update = storage.alerts.budgetRefused(budgetId, neededPico, clock())
      await update.then(() => this.#refused.delete(budgetId), onFailure)
      if (this.#stopped) return
    }
    while (!this.#stopped && (await storage.alerts.checkDue(rulesAtOnce, clock())) === rulesAtOnce);
    await storage.alerts.checkBudgets(clock())
    this.#waiting = await storage.deliveries.waiting()
  }
}
