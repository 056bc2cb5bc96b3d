import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

export type Engine = 'sqlite' | 'postgres'

/** What the stores see of an engine. Everything else about it is in its own folder. */
export interface Database {
  readonly engine: Engine
  /** Changes, and reads of single rows, which must not wait for long queries. */
  readonly write: Kysely<Schema>
  /** Lists, usage and exports: sees all that is committed, never delays a change. */
  readonly read: Kysely<Schema>
  /** Runs a long read on one unchanging state of the whole database, without delaying other reads. */
  snapshot<Result>(work: (transaction: Kysely<Schema>) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}
