import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { ManagementApp } from './management-app.ts'

/** No response takes this long but an export, which ends with its connection. */
const mostWaitMs = 5_000

/** Requests in progress. A caller may disconnect while its request still needs the database. */
export class WorkUnderWay {
  readonly #requests = new Set<FastifyRequest>()
  #onIdle: (() => void) | undefined

  /** @param register adds the app's hooks and routes, whose work is then tracked */
  watch(app: ManagementApp, register: () => void): void {
    app.addHook('preHandler', async (request) => {
      this.#requests.add(request)
    })
    register()
    // Runs after the app's own hooks, so the audit log and the kept responses are written by then.
    app.addHook('onSend', async (request, _reply, payload) => {
      this.#requests.delete(request)
      if (this.#requests.size === 0) this.#onIdle?.()
      return payload
    })
  }

  /** Resolves when nothing is in progress, or after a timeout. */
  async waitUntilIdle(): Promise<void> {
    if (this.#requests.size === 0) return
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
    await Promise.race([idle, delay(mostWaitMs, undefined, { ref: false })])
  }
}
