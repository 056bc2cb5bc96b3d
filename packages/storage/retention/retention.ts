import { setTimeout as delay } from 'node:timers/promises'
import { dropEndedLeases } from '../budgets/drop-ended.ts'
import type { Database } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'
import { dayMs } from '../usage/period.ts'
import { dropSomeHours, dropSomeRequests, postSomeEntries } from './drop-rows.ts'
import { moveHorizon } from './horizon.ts'
import { dropPartition, lockDay, makePartitions, partitionName, partitionsBefore } from './partitions.ts'

/** Deletes single requests after a time. Their daily totals and the ledger stay. */
export interface RetentionStore {
  /**
   * Prepares the storage for the coming days: creates partitions on PostgreSQL, and does nothing on SQLite.
   * Also deletes budget leases whose periods ended long ago. Call it at least once a day. Requests of a day
   * without a partition are still stored, in the default one.
   */
  prepare(nowMs: number): Promise<void>
  /**
   * Deletes requests and hourly totals of the UTC days that end before that time: whole partitions on
   * PostgreSQL, a few rows at a time on SQLite. May be repeated after any failure.
   * @param signal stops it between two steps
   */
  dropBefore(timeMs: number, signal?: AbortSignal): Promise<void>
  /** Does the same for hourly health figures only. */
  dropHealthHoursBefore(timeMs: number, signal?: AbortSignal): Promise<void>
}

/** Between two steps the writing connection is free for finished requests. */
const pauseMs = 20

/** Endpoint totals first, because the others must contain everything that these do. */
const totalsTables = [
  'usage_endpoint_totals',
  'usage_endpoint_tag_totals',
  'usage_totals',
  'usage_tag_totals',
] as const

/** Errors first, so that no error is left without its request. */
const healthTables = ['health_errors', 'health_totals', 'attempt_totals'] as const

export function retentionStore({ engine, write }: Pick<Database, 'engine' | 'write'>): RetentionStore {
  const dropDay = async (startMs: number, signal: AbortSignal | undefined): Promise<void> => {
    let after: string | undefined = ''
    const postSome = async (): Promise<boolean> => {
      after = await inTransaction({ write }, async (transaction) =>
        (await lockDay(transaction, startMs))
          ? postSomeEntries(transaction, partitionName(startMs), after!)
          : undefined,
      )
      return after !== undefined
    }
    await inSteps(postSome, signal)
    if (after === undefined)
      await inTransaction({ write }, (transaction) => dropPartition(transaction, startMs))
  }
  return {
    async prepare(nowMs) {
      await dropEndedLeases(write, nowMs)
      if (engine === 'sqlite') return
      await inTransaction({ write }, (transaction) => makePartitions(transaction, nowMs))
    },
    async dropBefore(timeMs, signal) {
      const beforeMs = Math.floor(timeMs / dayMs) * dayMs
      await moveHorizon(write, beforeMs)
      if (engine === 'postgres')
        for (const startMs of await partitionsBefore(write, beforeMs)) {
          if (signal?.aborted === true) return
          await dropDay(startMs, signal)
        }
      const table = engine === 'postgres' ? 'requests_default' : 'requests'
      const dropSome = (): Promise<boolean> =>
        inTransaction({ write }, (transaction) => dropSomeRequests(transaction, table, beforeMs))
      await inSteps(dropSome, signal)
      for (const table of totalsTables) await inSteps(() => dropSomeHours(write, table, beforeMs), signal)
    },
    async dropHealthHoursBefore(timeMs, signal) {
      const beforeMs = Math.floor(timeMs / dayMs) * dayMs
      for (const table of healthTables) await inSteps(() => dropSomeHours(write, table, beforeMs), signal)
    },
  }
}

async function inSteps(step: () => Promise<boolean>, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    if (signal?.aborted === true || !(await step())) return
    await delay(pauseMs)
  }
}
