import { sessionUse } from './login-session.ts'
import type { LoginSessionStore } from '../stores.ts'

const everyMs = 5 * 60_000
/** How many sessions are remembered; the oldest are evicted first. */
const maxRemembered = 50_000

/** Records every few minutes when and where sessions were used, so most requests write nothing. */
export class SessionUses {
  readonly #store: Pick<LoginSessionStore, 'use'>
  readonly #clock: () => number
  readonly #onError: (error: unknown) => void
  readonly #keptAtMs = new Map<string, number>()

  constructor(store: Pick<LoginSessionStore, 'use'>, clock: () => number, onError: (error: unknown) => void) {
    this.#store = store
    this.#clock = clock
    this.#onError = onError
  }

  /** Never rejects: no request fails because its use could not be recorded. */
  async recordUse(sessionId: string, userAgent: string | undefined, address: string): Promise<void> {
    const nowMs = this.#clock()
    if (nowMs - (this.#keptAtMs.get(sessionId) ?? 0) < everyMs) return
    this.#keptAtMs.delete(sessionId)
    for (const oldest of this.#keptAtMs.keys()) {
      if (this.#keptAtMs.size < maxRemembered) break
      this.#keptAtMs.delete(oldest)
    }
    this.#keptAtMs.set(sessionId, nowMs)
    try {
      await this.#store.use(sessionId, sessionUse(userAgent, address, nowMs))
    } catch (error) {
      this.#onError(error)
    }
  }
}
