import { sessionUse } from './login-session.ts'
import type { LoginSessionStore } from '../stores.ts'

const everyMs = 5 * 60_000
/** Remembered at most; the oldest go first. */
const maxRemembered = 50_000

/** Keeps when and where sessions were last used: every few minutes, so that most requests write nothing. */
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

  /** Never rejects: that it could not be kept fails no request. */
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
