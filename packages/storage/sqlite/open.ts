import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Durability } from '../outbox/file-outbox-log.ts'
import type { Notice } from '../notices.ts'
import { StorableText } from '../database/storable-text.ts'
import type { Schema } from '../schema.ts'
import { writeBatch } from './batch-query.ts'
import { workerDialect, type Client } from './dialect.ts'
import type { WorkerSettings } from './messages.ts'
import { DatabaseClient } from './process/database-client.ts'
import { WorkerClient } from './worker-client.ts'

export interface SqliteOptions {
  engine: 'sqlite'
  /** Path of the database file. Its directory is created. */
  path: string
  /**
   * `power`: every commit is on disk when it is acknowledged. Default `process`: survives a killed process.
   */
  durability?: Durability
  /** Socket of the process with the writing connection (`DatabaseServer`); absent: this process has it. */
  socketPath?: string
}

export async function openSqlite(options: SqliteOptions): Promise<Database> {
  ensureFile(options.path)
  const { socketPath } = options
  const settings = settingsOf(options)
  const listeners = new Set<Listener>()
  const onNotice = (text: string): void => {
    for (const listener of listeners) listener.onNotice(JSON.parse(text) as Notice)
  }
  const write =
    socketPath === undefined ? connect(settings, onNotice) : connectTo(socketPath, listeners, onNotice)
  const read = connect({ ...settings, queryOnly: true })
  return {
    engine: 'sqlite',
    isShared: socketPath !== undefined,
    write: write.database,
    read: read.database,
    writeBatch: (nodeId, lines) => writeBatch(write.database, nodeId, lines),
    async listen(onHeard, onError) {
      const listener = { onNotice: onHeard, onError }
      listeners.add(listener)
      return {
        get state() {
          return write.isConnected() ? 'listening' : 'deaf'
        },
        sweptUp: 0,
        close: async () => void listeners.delete(listener),
      }
    },
    async snapshot(work) {
      const connection = connect({ ...settings, queryOnly: true })
      try {
        return await connection.database.transaction().setAccessMode('read only').execute(work)
      } finally {
        await connection.client.close()
      }
    },
    async close() {
      // The writer is closed last, because only it may fold the write-ahead log into the file.
      try {
        await read.client.close()
      } finally {
        await write.client.close()
      }
    },
  }
}

interface Listener {
  onNotice: (notice: Notice) => void
  onError: (error: Error) => void
}

export function settingsOf({ path, durability }: Omit<SqliteOptions, 'engine'>): WorkerSettings {
  return { path, queryOnly: false, synchronous: durability === 'power' ? 'FULL' : 'NORMAL' }
}

/**
 * Creates a new file readable by its owner only, whatever the folder allows, because it contains the identity
 * provider's keys. SQLite creates its companion files with the same mode.
 */
export function ensureFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
}

/** Closed separately, because Kysely's `destroy` leaves a connection open that no query has used yet. */
interface Connection {
  client: { close(): Promise<void> }
  database: Kysely<Schema>
  isConnected: () => boolean
}

/** A connection in a thread of this process. */
function connect(settings: WorkerSettings, onNotice: (notice: string) => void = () => undefined): Connection {
  const client = new WorkerClient(settings, onNotice)
  return { client, database: databaseOver(client), isConnected: () => true }
}

/** The writing connection in another process, shared by several workers. */
function connectTo(
  socketPath: string,
  listeners: ReadonlySet<Listener>,
  onNotice: (notice: string) => void,
): Connection {
  const client = new DatabaseClient({
    socketPath,
    onNotice,
    onLost(error) {
      for (const listener of listeners) listener.onError(error)
    },
    onBack() {
      for (const listener of listeners) listener.onNotice({ about: 'missed' })
    },
  })
  return { client, database: databaseOver(client), isConnected: () => client.isConnected }
}

function databaseOver(client: Client): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: workerDialect(client), plugins: [new StorableText()] })
}
