import { sql } from 'kysely'
import type { Connection } from '../schema.ts'
import { dayMs, dayPeriod, monthPeriod } from '../usage/period.ts'

/** Longer than any request runs, and than any node remembers an unused lease. */
const keptDays = 7
const daysOfWeek = 7

/**
 * Deletes leases of periods that ended a week ago. Until then the empty rows stay, because a node may
 * remember a higher version than a new row would have.
 */
export async function dropEndedLeases(connection: Connection, nowMs: number): Promise<void> {
  const beforeMs = nowMs - keptDays * dayMs
  const weekBefore = `w${dayPeriod(beforeMs - daysOfWeek * dayMs).slice(1)}`
  const isBefore = (kind: string, period: string) => sql`(period >= ${kind} and period < ${period})`
  await sql`
    delete from budget_leases where amount_pico = 0 and (
      ${isBefore('d', dayPeriod(beforeMs))} or ${isBefore('w', weekBefore)} or
      ${isBefore('m', monthPeriod(beforeMs))})
  `.execute(connection)
}
