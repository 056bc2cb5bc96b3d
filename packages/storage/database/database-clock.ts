import { sql, type RawBuilder } from 'kysely'
import type { Connection } from '../schema.ts'
import { engineOf } from './engine.ts'

/**
 * Now, in Unix epoch milliseconds, by the clock that all nodes share: where nodes judge each other by times,
 * their own clocks may differ.
 */
export function databaseNowMs(connection: Connection): RawBuilder<bigint> {
  if (engineOf(connection) === 'sqlite') return sql<bigint>`${BigInt(Date.now())}`
  return sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
}
