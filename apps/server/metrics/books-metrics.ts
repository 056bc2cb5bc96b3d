import type { Registry } from 'prom-client'
import type { LedgerSchedule } from '../nodes/ledger-schedule.ts'
import { alone, measured } from './counted.ts'

export type BooksSources = Pick<LedgerSchedule, 'latest'>

/** When the ledger was verified, and what was found, by whichever node and whoever asked for it. */
export function registerBooksMetrics(registry: Registry, books: BooksSources): void {
  measured(
    registry,
    {
      name: 'turnpike_ledger_verified_timestamp_seconds',
      help: 'When the last verification of the ledger that got to its end began, on whichever node; 0: none.',
    },
    () => alone((books.latest?.startedAtMs ?? 0) / 1_000),
  )
  measured(
    registry,
    {
      name: 'turnpike_ledger_differences',
      help: 'What that verification found that does not agree: `ledger.difference` tells operators once.',
    },
    () => alone(books.latest?.differences.length ?? 0),
  )
}
