import type { EventStore } from '@turnpike/notify'
import { dayMs, hourMs } from '../usage/period.ts'
import { healthHourDays, type KeptAnswerStore, type LogDays, type PromptLogStore } from '@turnpike/gateway'
import type { RetentionStore } from './retention.ts'

/** Days that events and their deliveries are kept. */
const eventDays = 90

export interface RetentionSettings {
  /** Requests are kept for this many whole days before today. */
  days: number
  /** How long prompts and answers are kept; undefined: not at all. */
  logDays: LogDays | undefined
  clock(): number
  onFailure(error: unknown): void
}

export interface Retention {
  /** Stops the job. Resolves once it no longer uses the stores. */
  stop(): Promise<void>
}

/** Stores with data that expires. */
interface ExpiringStores {
  retention: RetentionStore
  keptAnswers: Pick<KeptAnswerStore, 'dropExpired'>
  promptLogs: Pick<PromptLogStore, 'dropExpired'>
  events: Pick<EventStore, 'dropBefore'>
}

/**
 * Prepares room for the coming days and deletes old requests, hourly health figures, events, expired kept
 * answers and prompt logs (even if keeping those is switched off): now, and every hour.
 */
export function keepRequests(
  { retention, keptAnswers, promptLogs, events }: ExpiringStores,
  settings: RetentionSettings,
): Retention {
  const stopping = new AbortController()
  let running = Promise.resolve()
  const run = async (): Promise<void> => {
    try {
      await retention.prepare(settings.clock())
      await keptAnswers.dropExpired(settings.clock(), stopping.signal)
      await promptLogs.dropExpired(settings.logDays, settings.clock(), stopping.signal)
      const eventsBeforeMs = settings.clock() - eventDays * dayMs
      while (!stopping.signal.aborted && (await events.dropBefore(eventsBeforeMs)));
      await retention.dropHealthHoursBefore(settings.clock() - healthHourDays * dayMs, stopping.signal)
      await retention.dropBefore(settings.clock() - settings.days * dayMs, stopping.signal)
    } catch (error) {
      // The next hour tries again; partitions are created a week ahead.
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
