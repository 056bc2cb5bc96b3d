import type { WrittenRequests } from '@turnpike/gateway'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { isBulkQuery } from '../database/bulk.ts'
import { batchOf, type Batch } from './batch-query.ts'
import { rollback, type ConnectionRequest } from './connection.ts'
import type { SqliteValue } from './messages.ts'
import { noticeOf } from './notice-query.ts'
import type { WorkerClient } from './worker-client.ts'

/** A worker's client, the connection in the worker itself, or a client of the database process. */
export type Client = Pick<WorkerClient, 'send'>

/** A Kysely dialect over one SQLite connection in a worker thread. */
export function workerDialect(client: Client): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new WorkerDriver(client),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (database: Kysely<unknown>) => new SqliteIntrospector(database),
  }
}

/**
 * The creator of its client opens and closes it. Gives the one connection to one user at a time, in order; a
 * transaction keeps it until its end.
 */
class WorkerDriver implements Driver {
  readonly #connection: WorkerConnection
  readonly #queue: (() => void)[] = []
  #held = false

  constructor(client: Client) {
    this.#connection = new WorkerConnection(client)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#held) await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#held = true
    return this.#connection
  }

  async releaseConnection(): Promise<void> {
    const next = this.#queue.shift()
    if (next === undefined) this.#held = false
    else next()
  }

  /** Takes SQLite's lock at once, because a transaction that begins with reads cannot be upgraded safely. */
  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const begin = settings.accessMode === 'read only' ? 'begin' : 'begin immediate'
    await connection.executeQuery(CompiledQuery.raw(begin))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(rollback))
  }

  async destroy(): Promise<void> {}
}

class WorkerConnection implements DatabaseConnection {
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const batch = batchOf(query)
    if (batch !== undefined) return { rows: [await this.#writeBatch(batch)] as Row[] }
    const answer = await this.#client.send(messageOf(query))
    if (answer.kind === 'rows') return { rows: answer.rows as Row[] }
    if (answer.kind === 'changes') return { rows: [], numAffectedRows: answer.changes }
    if (answer.kind === 'bulk') return { rows: answer.unchanged as Row[] }
    throw new Error(`unexpected answer ${answer.kind} of the database's worker`)
  }

  async #writeBatch(batch: Batch): Promise<WrittenRequests> {
    const answer = await this.#client.send({ kind: 'batch', ...batch })
    if (answer.kind === 'batch') return answer.written
    throw new Error(`unexpected answer ${answer.kind} of the database's worker`)
  }

  streamQuery(): never {
    throw new Error('Rows are read in pages, which leaves the connection free between them.')
  }
}

function messageOf(query: CompiledQuery): ConnectionRequest {
  const notice = noticeOf(query)
  if (notice !== undefined) return { kind: 'notice', notice }
  if (!isBulkQuery(query))
    return { kind: 'query', sql: query.sql, parameters: query.parameters as readonly SqliteValue[] }
  const { sql, conflict, shared = [], width, parameters: values } = query
  if (conflict === undefined) return { kind: 'bulk', sql, width, values }
  return { kind: 'insert', into: sql, conflict, width, shared, values }
}
