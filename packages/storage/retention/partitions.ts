import { firstIdentifierAt } from '@turnpike/protocol'
import { sql, type RawBuilder } from 'kysely'
import type { Connection } from '../schema.ts'
import { RefusedRow } from '../database/database-error.ts'
import { dayMs, dayName } from '../usage/period.ts'

/** Partitions of requests on PostgreSQL by day, UTC: `requests_20260315` has that day's identifiers. */

const prefix = 'requests_'
const daysBehind = 1
const daysAhead = 7

/** Any constant works, as long as no other program uses the same advisory lock in this database. */
const advisoryLockKey = 7_238_417_002

/**
 * A change of partitions waits for every running query on requests, and every later query waits for it. So
 * give up soon, and try again later.
 */
const lockTimeout = sql`set local lock_timeout = '1s'`

/**
 * Creates the missing partitions from yesterday to a week ahead, and moves rows from the default partition
 * into them.
 * @throws if a lock cannot be acquired soon; nothing is changed then
 */
export async function makePartitions(transaction: Connection, nowMs: number): Promise<void> {
  const today = Math.floor(nowMs / dayMs) * dayMs
  const startsMs: number[] = []
  for (let day = -daysBehind; day <= daysAhead; day++) startsMs.push(today + day * dayMs)
  if (await allThere(transaction, startsMs)) return
  await lockTimeout.execute(transaction)
  await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLockKey)})`.execute(transaction)
  const there = new Set(await partitionDays(transaction))
  for (const startMs of startsMs) if (!there.has(startMs)) await makePartition(transaction, startMs)
}

async function allThere(transaction: Connection, startsMs: readonly number[]): Promise<boolean> {
  const there = new Set(await partitionDays(transaction))
  return startsMs.every((startMs) => there.has(startMs))
}

async function makePartition(transaction: Connection, startMs: number): Promise<void> {
  const [first, end] = [firstIdentifierAt('req', startMs), firstIdentifierAt('req', startMs + dayMs)]
  const ofDay = sql`id >= ${first} and id < ${end}`
  const { rows } = await sql`select 1 from requests_default where ${ofDay} limit 1`.execute(transaction)
  const partition = sql.table(partitionName(startMs))
  const bounds = sql`from (${sql.lit(first)}) to (${sql.lit(end)})`
  if (rows.length === 0) {
    await sql`create table ${partition} partition of requests for values ${bounds}`.execute(transaction)
    return
  }
  // The default partition may not contain rows that belong into a new partition.
  const statements: RawBuilder<unknown>[] = [
    // The rows are moved, not deleted: their charges need no transfers.
    sql`alter table requests_default disable trigger requests_leave_their_entry`,
    sql`create temporary table requests_to_move (like requests) on commit drop`,
    sql`with moved as (delete from requests_default where ${ofDay} returning *)
        insert into requests_to_move select * from moved`,
    sql`create table ${partition} partition of requests for values ${bounds}`,
    sql`insert into requests select * from requests_to_move`,
    sql`drop table requests_to_move`,
    sql`alter table requests_default enable trigger requests_leave_their_entry`,
  ]
  for (const statement of statements) await statement.execute(transaction)
}

/** The days before that time that have a partition, oldest first. */
export async function partitionsBefore(connection: Connection, timeMs: number): Promise<number[]> {
  const days = await partitionDays(connection)
  return days.filter((startMs) => startMs + dayMs <= timeMs).sort((left, right) => left - right)
}

/**
 * Drops a day whose charges are posted.
 * @throws like `makePartitions`; {RefusedRow} if a charge is not posted
 */
export async function dropPartition(transaction: Connection, startMs: number): Promise<void> {
  if (!(await lockDay(transaction, startMs))) return
  const partition = sql.table(partitionName(startMs))
  await sql`lock table ${partition} in access exclusive mode`.execute(transaction)
  const { rows } = await sql`select 1 from ${partition} where is_entry = 1 limit 1`.execute(transaction)
  if (rows.length > 0) throw new RefusedRow('a request came while its day was being dropped')
  await sql`drop table ${partition}`.execute(transaction)
}

/**
 * Keeps other nodes from changing the set of partitions until the transaction ends.
 * @returns false if another node has already dropped that day
 * @throws like `makePartitions`
 */
export async function lockDay(transaction: Connection, startMs: number): Promise<boolean> {
  await lockTimeout.execute(transaction)
  await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLockKey)})`.execute(transaction)
  return (await partitionDays(transaction)).includes(startMs)
}

async function partitionDays(connection: Connection): Promise<number[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'requests'::regclass
  `.execute(connection)
  return rows.flatMap(({ name }) => {
    const [, year, month, day] = /^requests_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
    return year === undefined ? [] : [Date.UTC(Number(year), Number(month) - 1, Number(day))]
  })
}

export function partitionName(startMs: number): string {
  return prefix + dayName(startMs).replaceAll('-', '')
}
