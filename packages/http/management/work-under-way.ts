import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { ManagementApp } from './management-app.ts'

/** No answer takes so long but an export, which ends with its connection. */
const mostWaitMs = 5_000

/**
 * Requests whose work is not done. A caller may leave before: its connection is gone, while what it asked for
 * still needs the database.
 */
export class WorkUnderWay {
  readonly #requests = new Set<FastifyRequest>()
  #onIdle: (() => void) | undefined

  /** @param register adds the hooks and routes of the app: the work is what they do */
  watch(app: ManagementApp, register: () => void): void {
    app.addHook('preHandler', async (request) => {
      this.#requests.add(request)
    })
    register()
    // Behind the hooks of the app itself: the audit log and the kept answers are written by then.
    app.addHook('onSend', async (request, _reply, payload) => {
      this.#requests.delete(request)
      if (this.#requests.size === 0) this.#onIdle?.()
      return payload
    })
  }

  /** Resolves when nothing is under way, or after a while. */
  async waitUntilIdle(): Promise<void> {
    if (this.#requests.size === 0) return
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
    await Promise.race([idle, delay(mostWaitMs, undefined, { ref: false })])
  }
}
