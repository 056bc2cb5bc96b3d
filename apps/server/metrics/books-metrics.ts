import type { LedgerSchedule } from '../nodes/ledger-schedule.ts'
import type { Meters } from './register.ts'

export type BooksSources = Pick<LedgerSchedule, 'latest'>

/** The latest verification of the ledger and its result, on whichever node and however it was started. */
export function registerBooksMetrics({ gauge }: Meters, books: BooksSources): void {
  gauge(
    'turnpike_ledger_verified_timestamp_seconds',
    'Start time of the last completed ledger verification on any node; 0 if there was none.',
    [],
    () => (books.latest?.startedAtMs ?? 0) / 1_000,
  )
  gauge(
    'turnpike_ledger_differences',
    'Differences that the last completed ledger verification found.',
    [],
    () => books.latest?.differences.length ?? 0,
  )
}
