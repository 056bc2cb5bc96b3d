import { sql, type Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import { dayMs, dayPeriod, monthPeriod } from '../usage/period.ts'

/** No request runs for so long, and no node remembers a lease that it has not used since. */
const keptDays = 7
const daysOfWeek = 7

/**
 * Leases of periods that ended a week ago: until then their rows stay, though nothing is in them, since a
 * node may remember a higher version than a new row would have.
 */
export async function dropEndedLeases(connection: Kysely<Schema>, nowMs: number): Promise<void> {
  const beforeMs = nowMs - keptDays * dayMs
  const weekBefore = `w${dayPeriod(beforeMs - daysOfWeek * dayMs).slice(1)}`
  const isBefore = (kind: string, period: string) => sql`(period >= ${kind} and period < ${period})`
  await sql`
    delete from budget_leases where amount_pico = 0 and (
      ${isBefore('d', dayPeriod(beforeMs))} or ${isBefore('w', weekBefore)} or
      ${isBefore('m', monthPeriod(beforeMs))})
  `.execute(connection)
}
