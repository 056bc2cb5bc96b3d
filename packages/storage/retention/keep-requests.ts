import { dayMs, hourMs } from '../usage/period.ts'
import type { RetentionStore } from './retention.ts'

export interface RetentionSettings {
  /** Requests are kept for so many whole days before today. */
  days: number
  clock(): number
  onFailure(error: unknown): void
}

export interface Retention {
  /** Ends it; resolves when it uses the store no more. */
  stop(): Promise<void>
}

/** Makes room for the days to come and drops what is older than the setting: now, and every hour. */
export function keepRequests(store: RetentionStore, settings: RetentionSettings): Retention {
  const stopping = new AbortController()
  let running = Promise.resolve()
  const run = async (): Promise<void> => {
    try {
      await store.prepare(settings.clock())
      await store.dropBefore(settings.clock() - settings.days * dayMs, stopping.signal)
    } catch (error) {
      // The next hour tries again: partitions are made a week ahead.
      settings.onFailure(error)
    }
  }
  const next = (): void => {
    running = running.then(run)
  }
  next()
  const timer = setInterval(next, hourMs)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
