import type { NewEvent } from '@turnpike/notify'
import type { Storage } from '@turnpike/storage'

const everyMs = 5_000
const rulesAtOnce = 200
/** What one node keeps of what it has seen while the database is away. */
const mostWaiting = 1_000

interface AlertWatchParts {
  storage: Pick<Storage, 'alerts' | 'deliveries' | 'events'>
  clock: () => number
  onFailure: (error: unknown) => void
}

/**
 * Looks every few seconds at the rules that are due, on whichever node, and writes the events that the
 * request path has seen: it never waits for that.
 */
export class AlertWatch {
  readonly #parts: AlertWatchParts
  /** By dedupe key: what is seen a thousand times is written once. */
  readonly #seen = new Map<string, NewEvent>()
  /** By budget: what the request that it refused may have cost. */
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

  /** An event to be written soon. */
  note(event: NewEvent & { dedupeKey: string }): void {
    if (this.#seen.size < mostWaiting) this.#seen.set(event.dedupeKey, event)
  }

  /** As the database had it a few seconds ago. */
  get waiting(): { count: number; sinceMs: number | null } {
    return this.#waiting
  }

  /** A budget has refused a request: who wants to hear of 100 % of it hears of that soon. */
  noteRefusal(budgetId: string, neededPico: bigint): void {
    if (this.#refused.size < mostWaiting && !this.#refused.has(budgetId))
      this.#refused.set(budgetId, neededPico)
  }

  /** Resolves when it uses the storage no more. */
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
      const told = storage.alerts.budgetRefused(budgetId, neededPico, clock())
      await told.then(() => this.#refused.delete(budgetId), onFailure)
      if (this.#stopped) return
    }
    while (!this.#stopped && (await storage.alerts.checkDue(rulesAtOnce, clock())) === rulesAtOnce);
    await storage.alerts.checkBudgets(clock())
    this.#waiting = await storage.deliveries.waiting()
  }
}
