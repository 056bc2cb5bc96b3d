import { SqliteAdapter } from 'kysely'
import type { Connection } from '../schema.ts'

/** Where the tables are: in the embedded database, or on a server that nodes share. */
export type Engine = 'sqlite' | 'postgres'

/** The engine of a connection or transaction, from the adapter of its Kysely dialect. */
export function engineOf(connection: Connection): Engine {
  return connection.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres'
}
