import type { EventStore } from '@turnpike/notify'
import { dayMs, hourMs } from '../usage/period.ts'
import { healthHourDays, type KeptAnswerStore, type LogDays, type PromptLogStore } from '@turnpike/gateway'
import type { RetentionStore } from './retention.ts'

/** How long events are kept, with how they were delivered. */
const eventDays = 90

export interface RetentionSettings {
  /** Requests are kept for so many whole days before today. */
  days: number
  /** For how long prompts and answers are kept; undefined: they are no more. */
  logDays: LogDays | undefined
  clock(): number
  onFailure(error: unknown): void
}

export interface Retention {
  /** Ends it; resolves when it uses the store no more. */
  stop(): Promise<void>
}

/** What is kept for a time. */
interface ExpiringStores {
  retention: RetentionStore
  keptAnswers: Pick<KeptAnswerStore, 'dropExpired'>
  promptLogs: Pick<PromptLogStore, 'dropExpired'>
  events: Pick<EventStore, 'dropBefore'>
}

/**
 * Makes room for the days to come and drops requests that are older than the setting, hours of health figures
 * that are older than theirs, and kept answers and logged prompts that have expired, whether any are still
 * kept or not: now, and every hour.
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
