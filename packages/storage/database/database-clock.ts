import { sql, type RawBuilder } from 'kysely'
import type { Connection } from '../schema.ts'
import { engineOf } from './engine.ts'

/**
 * The current time by the clock that all nodes share, in Unix epoch milliseconds. For times that one node
 * compares with those of another, since their own clocks may differ.
 */
export function databaseNowMs(connection: Connection): RawBuilder<bigint> {
  if (engineOf(connection) === 'sqlite') return sql<bigint>`${BigInt(Date.now())}`
  return sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
}
