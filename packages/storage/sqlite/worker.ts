import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { SqliteValue, WorkerAnswer, WorkerRequest, WorkerSettings } from './messages.ts'

/**
 * The thread that owns one SQLite connection: `node:sqlite` is synchronous, and nothing may block the
 * event loop.
 */

const busyTimeoutMs = 5_000
const busyRetryMs = 10
const sqliteBusy = 5
const maxStatements = 256
const maxWalBytes = 64 * 1024 * 1024
/** A page that many commits touch is copied back once: rarer than SQLite's own 1,000 pages. */
const checkpointPages = 4_000
const pageCacheKib = 16 * 1024

interface CachedStatement {
  statement: StatementSync
  answersRows: boolean
}

if (parentPort === null) throw new Error('sqlite/worker.ts runs in a worker thread only')
const port = parentPort
const settings = workerData as WorkerSettings
const database = open()

function open(): DatabaseSync {
  const opened = new DatabaseSync(settings.path, {
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

/**
 * A new database enters WAL once. Of several connections that try, SQLite makes none wait: all but one
 * fail.
 */
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

/** SQLite's extended result code; null where the error is not SQLite's. */
function errcodeOf(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : null
}

const statements = new Map<string, CachedStatement>()

/** Prepared once a text, the least recently prepared one going first. */
function prepared(text: string): CachedStatement {
  let cached = statements.get(text)
  if (cached !== undefined) return cached
  const statement = database.prepare(text)
  statement.setReadBigInts(true)
  cached = { statement, answersRows: statement.columns().length > 0 }
  if (statements.size >= maxStatements) {
    for (const oldest of statements.keys()) {
      statements.delete(oldest)
      break
    }
  }
  statements.set(text, cached)
  return cached
}

function query(request: Extract<WorkerRequest, { kind: 'query' }>): WorkerAnswer {
  const { statement, answersRows } = prepared(request.sql)
  if (answersRows) {
    const rows = statement.all(...request.parameters) as Record<string, SqliteValue>[]
    return { id: request.id, kind: 'rows', rows }
  }
  const { changes } = statement.run(...request.parameters)
  return { id: request.id, kind: 'changes', changes: BigInt(changes) }
}

function bulk(request: Extract<WorkerRequest, { kind: 'bulk' }>): WorkerAnswer {
  const { statement } = prepared(request.sql)
  const { values, width } = request
  const unchanged: number[] = []
  for (let start = 0; start < values.length; start += width) {
    const { changes } = statement.run(...values.slice(start, start + width))
    if (Number(changes) === 0) unchanged.push(start / width)
  }
  return { id: request.id, kind: 'bulk', unchanged }
}

function answer(request: WorkerRequest): WorkerAnswer {
  if (request.kind === 'query') return query(request)
  if (request.kind === 'bulk') return bulk(request)
  statements.clear()
  database.close()
  return { id: request.id, kind: 'closed' }
}

port.on('message', (request: WorkerRequest) => {
  try {
    port.postMessage(answer(request))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    port.postMessage({
      id: request.id,
      kind: 'error',
      message,
      errcode: errcodeOf(error),
    } satisfies WorkerAnswer)
  }
})
