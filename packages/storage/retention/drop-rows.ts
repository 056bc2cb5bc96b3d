import { firstIdentifierAt } from '@turnpike/protocol'
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { postEntries } from '../ledger/usage-entries.ts'
import type { Connection } from '../schema.ts'
import { hourPeriod } from '../usage/period.ts'

/** Few enough that a batch of finished requests hardly waits for one transaction. */
const rowsAtOnce = 500
/** More than on SQLite: other transactions continue meanwhile. */
const entriesAtOnce = 5_000

/**
 * Deletes some of the oldest requests that began before that time. Their charges become transfers.
 * @returns whether there may be more
 */
export async function dropSomeRequests(
  transaction: Connection,
  table: 'requests' | 'requests_default',
  beforeMs: number,
): Promise<boolean> {
  const end = firstIdentifierAt('req', beforeMs)
  const some = await nextRequests(transaction, table, { after: '', end, count: rowsAtOnce })
  await postEntries(transaction, table, sql`is_entry = 1 and ${some.condition}`)
  await sql`delete from ${sql.table(table)} where ${some.condition}`.execute(transaction)
  return some.last !== undefined
}

/**
 * Posts the charges of some requests of a day as transfers. The partition can be dropped after the last call.
 * @param after the result of the previous call; '' for the first
 * @returns the identifier to continue from; undefined: these were the last
 */
export async function postSomeEntries(
  transaction: Connection,
  partition: string,
  after: string,
): Promise<string | undefined> {
  const some = await nextRequests(transaction, partition, { after, end: undefined, count: entriesAtOnce })
  await postEntries(transaction, partition, sql`is_entry = 1 and ${some.condition}`)
  const posted = sql`is_entry = 1 and ${some.condition}`
  await sql`update ${sql.table(partition)} set is_entry = 0 where ${posted}`.execute(transaction)
  return some.last
}

/**
 * Selects the next requests in the order of their identifiers.
 * @returns an SQL condition for them, and the last identifier, if there may be more
 */
async function nextRequests(
  transaction: Connection,
  table: string,
  { after, end, count }: { after: string; end: string | undefined; count: number },
): Promise<{ condition: RawBuilder<SqlBool>; last: string | undefined }> {
  const rest = end === undefined ? sql<SqlBool>`id > ${after}` : sql<SqlBool>`id > ${after} and id < ${end}`
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where ${rest} order by id limit 1 offset ${sql.lit(count - 1)}
  `.execute(transaction)
  const last = rows[0]?.id
  return { condition: last === undefined ? rest : sql<SqlBool>`${rest} and id <= ${last}`, last }
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
