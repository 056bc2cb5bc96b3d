import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import type { Engine } from '../database/engine.ts'
import type { SqliteOptions } from '../sqlite/open.ts'
import { DatabaseServer } from '../sqlite/process/database-server.ts'
import { openStorage, type DatabaseOptions, type Storage, type StorageOptions } from '../open-storage.ts'

/** An empty database for one test file, on either engine. */
export interface TestDatabase {
  engine: Engine
  /** Several processes may use it at once. */
  isShared: boolean
  options: DatabaseOptions
  /** Runs a statement past all stores, as an operator with the database's own client could. */
  execute(statement: string): Promise<void>
  drop(): Promise<void>
}

/** Connections per storage: fewer than callers in the tests, so that some have to wait. */
const testPoolSize = 8

export async function createTestDatabase(engine: Engine): Promise<TestDatabase> {
  return engine === 'sqlite' ? createSqlite() : createPostgres()
}

/** SQLite as several workers share it: the writing connection is behind a socket. */
async function createSharedSqlite(): Promise<TestDatabase> {
  const database = createSqlite()
  const { path } = database.options as SqliteOptions
  const socketPath =
    process.platform === 'win32' ? `\\\\.\\pipe\\${randomBytes(8).toString('hex')}` : `${path}.socket`
  const server = await DatabaseServer.start({ path, socketPath })
  return {
    ...database,
    isShared: true,
    options: { engine: 'sqlite', path, socketPath },
    async drop() {
      await server.close()
      await database.drop()
    },
  }
}

function createSqlite(): TestDatabase {
  const directory = mkdtempSync(join(tmpdir(), 'turnpike-sqlite-'))
  const path = join(directory, 'turnpike.sqlite')
  return {
    engine: 'sqlite',
    isShared: false,
    options: { engine: 'sqlite', path },
    async execute(statement) {
      const database = new DatabaseSync(path)
      try {
        database.exec(statement)
      } finally {
        database.close()
      }
    },
    async drop() {
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function createPostgres(): Promise<TestDatabase> {
  const adminUrl = inject('postgresUrl')
  if (adminUrl === null) throw new Error('there is no PostgreSQL in this run')
  const name = `turnpike_${randomBytes(8).toString('hex')}`
  await runOnce(adminUrl, `CREATE DATABASE ${name}`)
  const url = adminUrl.replace('/postgres?', `/${name}?`)
  return {
    engine: 'postgres',
    isShared: true,
    options: { engine: 'postgres', url, poolSize: testPoolSize },
    execute: (statement) => runOnce(url, statement),
    drop: () => runOnce(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}

async function runOnce(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The databases that all stores must work with. */
const creators = { sqlite: createSqlite, 'shared sqlite': createSharedSqlite, postgres: createPostgres }

/** Runs the same tests on each engine, with one database each that is opened before the first test. */
export function onEachEngine(
  body: (opened: () => { storage: Storage; database: TestDatabase }) => void,
  settings: StorageOptions = {},
): void {
  for (const [name, create] of Object.entries(creators)) {
    describe.skipIf(name === 'postgres' && inject('postgresUrl') === null)(name, () => {
      let opened: { storage: Storage; database: TestDatabase }
      beforeAll(async () => {
        const database = await create()
        opened = { database, storage: await openStorage(database.options, settings) }
      })
      afterAll(async () => {
        await opened.storage.close()
        await opened.database.drop()
      })
      body(() => opened)
    })
  }
}
