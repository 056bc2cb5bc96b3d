import { Kysely, PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import type { Database } from '../database/database.ts'
import type { Schema } from '../schema.ts'
import { StorableText } from '../database/storable-text.ts'
import { PostgresNoticeListener } from './notice-listener.ts'

export interface PostgresOptions {
  engine: 'postgres'
  /** `postgres://user:password@host:port/database?sslmode=…` */
  url: string
  /** Connections of this node; default 10. */
  poolSize?: number
  /** Whether statements have no timeout. */
  patient?: boolean
  /** Called when an idle connection breaks; the pool replaces it. */
  onConnectionError?: (error: Error) => void
}

const defaultPoolSize = 10
/** A node that has just started opens many connections at once, on a machine that may be busy. */
const connectTimeoutMs = 10_000
const statementTimeoutMs = 60_000
/** Longer than the server's own limit, so it only applies to a connection that was lost silently. */
const answerTimeoutMs = 65_000
/** A node that hangs inside a transaction may not block others from its rows for longer. */
const idleTransactionTimeoutMs = 30_000

/** Type identifiers of PostgreSQL: int8, and numeric, which `sum` makes of int8. */
const integerTypes = new Set([20, 1700])

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const pool = new Pool({
    connectionString: options.url,
    max: options.poolSize ?? defaultPoolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    ...(options.patient !== true && {
      statement_timeout: statementTimeoutMs,
      query_timeout: answerTimeoutMs,
    }),
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
    keepAlive: true,
    application_name: 'turnpike',
    types: { getTypeParser },
  })
  const onBroken = (error: Error): void => options.onConnectionError?.(error)
  // Without a listener, a broken connection would end the process: the pool listens only to idle connections,
  // not to one that is in use, between two statements (https://node-postgres.com/apis/client#error).
  pool.on('error', onBroken)
  pool.on('connect', (client) => client.on('error', onBroken))
  const database = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new StorableText()],
  })
  return {
    engine: 'postgres',
    isShared: true,
    write: database,
    read: database,
    snapshot: (work) =>
      database
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((transaction) => work(transaction)),
    listen: (onNotice, onError) =>
      PostgresNoticeListener.start({ url: options.url, database, onNotice, onError }),
    close: () => database.destroy(),
  }
}

function getTypeParser(id: number, format?: 'text' | 'binary'): (value: string) => unknown {
  return integerTypes.has(id) && format !== 'binary' ? BigInt : types.getTypeParser(id, format)
}
