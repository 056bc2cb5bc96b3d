import type { Registry } from 'prom-client'
import type { LedgerSchedule } from '../nodes/ledger-schedule.ts'
import { alone, registerGauge } from './register.ts'

export type BooksSources = Pick<LedgerSchedule, 'latest'>

/**
 * The latest verification of the ledger and its result, on whichever node it ran and however it was
 * started.
 */
export function registerBooksMetrics(registry: Registry, books: BooksSources): void {
  registerGauge(
    registry,
    {
      name: 'turnpike_ledger_verified_timestamp_seconds',
      help: 'Start time of the last completed ledger verification on any node; 0 if there was none.',
    },
    () => alone((books.latest?.startedAtMs ?? 0) / 1_000),
  )
  registerGauge(
    registry,
    {
      name: 'turnpike_ledger_differences',
      help: 'Differences that the last completed ledger verification found.',
    },
    () => alone(books.latest?.differences.length ?? 0),
  )
}
