import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import type { Durability } from '../outbox/file-outbox-log.ts'
import type { Notice } from '../notices.ts'
import { StorableText } from '../storable-text.ts'
import type { Schema } from '../schema.ts'
import { writeBatch } from './batch-query.ts'
import { workerDialect } from './dialect.ts'
import type { WorkerSettings } from './messages.ts'
import { WorkerClient } from './worker-client.ts'

export interface SqliteOptions {
  engine: 'sqlite'
  /** Path of the database file; its directory is made. */
  path: string
  /**
   * `power`: every commit is on disk before it is acknowledged. Default `process`: a killed process loses
   * nothing.
   */
  durability?: Durability
}

export async function openSqlite(options: SqliteOptions): Promise<Database> {
  ensureFile(options.path)
  const settings: WorkerSettings = {
    path: options.path,
    queryOnly: false,
    synchronous: options.durability === 'power' ? 'FULL' : 'NORMAL',
  }
  const write = connect(settings)
  const read = connect({ ...settings, queryOnly: true })
  const listeners = new Set<(notice: Notice) => void>()
  return {
    engine: 'sqlite',
    write: write.database,
    read: read.database,
    writeBatch: (nodeId, lines) => writeBatch(write.database, nodeId, lines),
    async listen(onNotice) {
      listeners.add(onNotice)
      return { state: 'listening', sweptUp: 0, close: async () => void listeners.delete(onNotice) }
    },
    notifyLocally(notice) {
      for (const onNotice of listeners) onNotice(notice)
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
      // The writer goes last: it is the one that may fold the write-ahead log into the file.
      try {
        await read.client.close()
      } finally {
        await write.client.close()
      }
    },
  }
}

/**
 * A new file is its owner's alone, whatever the folder allows: the identity provider's keys are in it. The
 * files that SQLite puts beside it are made with its mode.
 */
function ensureFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
}

/** The client is closed by itself: Kysely's `destroy` leaves a connection open that no query has used yet. */
function connect(settings: WorkerSettings): { client: WorkerClient; database: Kysely<Schema> } {
  const client = new WorkerClient(settings)
  const database = new Kysely<Schema>({ dialect: workerDialect(client), plugins: [new StorableText()] })
  return { client, database }
}
