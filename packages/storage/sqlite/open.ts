import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { StorableText } from '../storable-text.ts'
import type { Schema } from '../schema.ts'
import { workerDialect } from './dialect.ts'
import type { WorkerSettings } from './messages.ts'
import { WorkerClient } from './worker-client.ts'

export interface SqliteOptions {
  engine: 'sqlite'
  /** Path of the database file; its directory is made. */
  path: string
  /** `power`: every commit is on disk before it is acknowledged. Default `process`: a killed process loses nothing. */
  durability?: 'process' | 'power'
}

export async function openSqlite(options: SqliteOptions): Promise<Database> {
  mkdirSync(dirname(options.path), { recursive: true })
  const settings: WorkerSettings = {
    path: options.path,
    queryOnly: false,
    synchronous: options.durability === 'power' ? 'FULL' : 'NORMAL',
  }
  const write = connect(settings)
  const read = connect({ ...settings, queryOnly: true })
  return {
    engine: 'sqlite',
    write,
    read,
    async snapshot(work) {
      const connection = connect({ ...settings, queryOnly: true })
      try {
        return await connection.transaction().setAccessMode('read only').execute(work)
      } finally {
        await connection.destroy()
      }
    },
    async close() {
      await read.destroy()
      await write.destroy()
    },
  }
}

function connect(settings: WorkerSettings): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: workerDialect(new WorkerClient(settings)),
    plugins: [new StorableText()],
  })
}
