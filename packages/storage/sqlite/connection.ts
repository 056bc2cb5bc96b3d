import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SqliteValue, WithoutId, WorkerAnswer, WorkerRequest, WorkerSettings } from './messages.ts'
import { insertsOf, plainText } from './insert-rows.ts'
import { openSqlite } from './open-sqlite.ts'

const busyTimeoutMs = 5_000
const busyRetryMs = 10
const sqliteBusy = 5
const maxStatements = 256
const maxWalBytes = 64 * 1024 * 1024
/** Higher than SQLite's own 1,000 pages, so that a page that many commits change is copied back only once. */
const checkpointPages = 4_000
const pageCacheKib = 8 * 1024

/** The statement that rolls a transaction back. */
export const rollback = 'rollback'

interface CachedStatement {
  statement: StatementSync
  answersRows: boolean
}

/** The requests that a connection handles itself, without its thread. */
export type ConnectionRequest = Exclude<WithoutId<WorkerRequest>, { kind: 'batch' }>
export type ConnectionAnswer = Exclude<WithoutId<WorkerAnswer>, { kind: 'error' | 'batch' }>

type BulkRequest = Extract<ConnectionRequest, { kind: 'bulk' }>
type InsertRequest = Extract<ConnectionRequest, { kind: 'insert' }>

/** One SQLite connection and its prepared statements, used on the calling thread. */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #onNotice: (notice: string) => void
  readonly #statements = new Map<string, CachedStatement>()
  /** Notices of the open transaction. */
  #notices: string[] = []

  /** @param onNotice called with each notice once it is committed, before the commit is acknowledged */
  constructor(settings: WorkerSettings, onNotice: (notice: string) => void) {
    this.#onNotice = onNotice
    this.#database = open(settings)
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  /** @throws the errors of `node:sqlite` */
  answer(request: ConnectionRequest): ConnectionAnswer {
    if (request.kind === 'notice') this.#notices.push(request.notice)
    // Also applies if SQLite has ended the transaction by itself.
    else if (request.kind === 'query' && request.sql === rollback) this.#notices = []
    const answer = this.#answer(request)
    if (this.#notices.length > 0 && !this.inTransaction)
      for (const notice of this.#notices.splice(0)) this.#onNotice(notice)
    return answer
  }

  #answer(request: ConnectionRequest): ConnectionAnswer {
    if (request.kind === 'notice') return { kind: 'changes', changes: 1n }
    if (request.kind === 'query') return this.#query(request)
    if (request.kind === 'bulk') return this.#bulk(request)
    if (request.kind === 'insert') return this.#insert(request)
    this.#statements.clear()
    this.#database.close()
    return { kind: 'closed' }
  }

  #query({ sql, parameters }: Extract<ConnectionRequest, { kind: 'query' }>): ConnectionAnswer {
    const { statement, answersRows } = this.#prepare(sql)
    if (answersRows) {
      const rows = statement.all(...parameters) as Record<string, SqliteValue>[]
      return { kind: 'rows', rows }
    }
    const { changes } = statement.run(...parameters)
    return { kind: 'changes', changes: BigInt(changes) }
  }

  #bulk({ sql, values, width }: BulkRequest): ConnectionAnswer {
    const { statement } = this.#prepare(sql)
    const unchanged: number[] = []
    for (let start = 0; start < values.length; start += width) {
      const { changes } = statement.run(...values.slice(start, start + width))
      if (Number(changes) === 0) unchanged.push(start / width)
    }
    return { kind: 'bulk', unchanged }
  }

  /**
   * Inserts many rows per statement. A statement reports how many of its rows existed already, but not which.
   * In that rare case all are inserted again one by one.
   */
  #insert(request: InsertRequest): ConnectionAnswer {
    const { values, width } = request
    const bulk: BulkRequest = { kind: 'bulk', sql: plainText(request, 1), values, width }
    if (values.length === width) return this.#bulk(bulk)
    this.#database.exec('SAVEPOINT rows')
    let inserted = 0
    for (const { sql, parameters } of insertsOf(request))
      inserted += Number(this.#prepare(sql).statement.run(...parameters).changes)
    const all = inserted * width === values.length
    if (!all) this.#database.exec('ROLLBACK TO rows')
    this.#database.exec('RELEASE rows')
    return all ? { kind: 'bulk', unchanged: [] } : this.#bulk(bulk)
  }

  /** Prepares each text once. The statement that was prepared first is evicted first. */
  #prepare(text: string): CachedStatement {
    let cached = this.#statements.get(text)
    if (cached !== undefined) return cached
    const statement = this.#database.prepare(text)
    statement.setReadBigInts(true)
    cached = { statement, answersRows: statement.columns().length > 0 }
    if (this.#statements.size >= maxStatements) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest)
        break
      }
    }
    this.#statements.set(text, cached)
    return cached
  }
}

function open(settings: WorkerSettings): DatabaseSync {
  const opened = openSqlite(settings.path, {
    timeout: busyTimeoutMs,
    enableForeignKeyConstraints: true,
  })
  enterWal(opened)
  opened.exec(`
    PRAGMA synchronous = ${settings.synchronous};
    PRAGMA recursive_triggers = ON;
    PRAGMA wal_autocheckpoint = ${checkpointPages};
    PRAGMA journal_size_limit = ${maxWalBytes};
    PRAGMA cache_size = -${pageCacheKib};
    PRAGMA temp_store = MEMORY;
    PRAGMA query_only = ${settings.queryOnly ? 'ON' : 'OFF'};
  `)
  return opened
}

/** A new database enters WAL mode once. If several connections try, all but one fail without waiting. */
function enterWal(opened: DatabaseSync): void {
  const deadlineMs = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      opened.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (errcodeOf(error) !== sqliteBusy || performance.now() > deadlineMs) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyRetryMs)
    }
  }
}

/** SQLite's extended result code; null for an error that is not SQLite's. */
export function errcodeOf(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : null
}
