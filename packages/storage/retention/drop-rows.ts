import { firstIdentifierAt } from '@turnpike/protocol'
import { sql } from 'kysely'
import type { Connection } from '../schema.ts'
import { hourPeriod } from '../usage/period.ts'

/** Few enough that a batch of finished requests hardly waits for one transaction. */
const rowsAtOnce = 500

/**
 * Deletes some of the oldest requests that began before that time.
 * @returns whether there may be more
 */
export async function dropSomeRequests(
  connection: Connection,
  table: 'requests' | 'requests_default',
  beforeMs: number,
): Promise<boolean> {
  const from = sql.table(table)
  const { numAffectedRows } = await sql`
    delete from ${from} where id in (
      select id from ${from} where id < ${firstIdentifierAt('req', beforeMs)}
      order by id limit ${sql.lit(rowsAtOnce)})
  `.execute(connection)
  return Number(numAffectedRows ?? 0n) === rowsAtOnce
}

/** Does the same for hourly totals. All totals of an account or node in one hour are deleted together. */
export async function dropSomeHours(
  connection: Connection,
  table: `usage_${'' | 'endpoint_'}${'' | 'tag_'}totals` | `health_${'totals' | 'errors'}` | 'attempt_totals',
  beforeMs: number,
): Promise<boolean> {
  const from = sql.table(table)
  const owner = sql.ref(table === 'attempt_totals' ? 'node_id' : 'account_id')
  const old = sql`period >= 'h' and period < ${hourPeriod(beforeMs)}`
  const { rows } = await sql<{ period: string; owner: string }>`
    select period, ${owner} as owner from ${from} where ${old}
    order by period, ${owner} limit 1 offset ${sql.lit(rowsAtOnce)}
  `.execute(connection)
  const last = rows[0]
  const upTo = last === undefined ? sql`` : sql`and (period, ${owner}) <= (${last.period}, ${last.owner})`
  await sql`delete from ${from} where ${old} ${upTo}`.execute(connection)
  return last !== undefined
}
