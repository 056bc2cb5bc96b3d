import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseServer } from '@turnpike/storage/database-server'
import { createTestDatabase } from '../../../../packages/storage/testing/test-database.ts'
import { DatabaseProxy } from '../../../../tests/nodes/database-proxy.ts'
import type { TestNodeOptions } from '../../../../tests/nodes/test-node.ts'

type Place = Pick<TestNodeOptions, 'databaseUrl' | 'dataDir' | 'worker'>

/** A database that two nodes share. One of them can be cut off from it. */
export interface SharedDatabase {
  left: Place
  right: Place
  /** Cuts the right node off from it. */
  down(): Promise<void>
  up(): Promise<void>
  /** Closes the connections on which nodes receive notices; the nodes open new ones. */
  silence(): Promise<void>
  drop(): Promise<void>
}

export async function sharePostgres(): Promise<SharedDatabase> {
  const database = await createTestDatabase('postgres')
  const { options } = database
  if (options.engine !== 'postgres') throw new Error('asked for PostgreSQL, got another engine')
  const proxy = await DatabaseProxy.start(options.url)
  return {
    left: { databaseUrl: options.url },
    right: { databaseUrl: proxy.url },
    down: () => proxy.down(),
    up: () => proxy.up(),
    silence: () =>
      database.execute(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'turnpike notices' AND datname = current_database()`,
      ),
    async drop() {
      await proxy.down()
      await database.drop()
    },
  }
}

/** The database of two workers, with both sides of it in this process. */
export async function shareSqlite(): Promise<SharedDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-workers-'))
  const [direct, between] = [join(dataDir, 'direct'), join(dataDir, 'between')]
  const server = await DatabaseServer.start({ path: join(dataDir, 'turnpike.db'), socketPath: direct })
  const proxy = new SocketProxy(between, direct)
  await proxy.up()
  return {
    left: { dataDir, worker: { number: 1, databaseSocket: direct } },
    right: { dataDir, worker: { number: 2, databaseSocket: between } },
    down: () => proxy.down(),
    up: () => proxy.up(),
    async silence() {
      await proxy.down()
      await proxy.up()
    },
    async drop() {
      await proxy.down()
      await server.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

class SocketProxy {
  readonly #path: string
  readonly #target: string
  readonly #sockets = new Set<Socket>()
  #server = createServer()

  constructor(path: string, target: string) {
    this.#path = path
    this.#target = target
  }

  async up(): Promise<void> {
    this.#server = createServer((socket) => {
      const onwards = connect(this.#target)
      for (const one of [socket, onwards]) {
        this.#sockets.add(one)
        one.on('error', () => one.destroy())
        one.on('close', () => {
          socket.destroy()
          onwards.destroy()
          this.#sockets.delete(one)
        })
      }
      socket.pipe(onwards).pipe(socket)
    })
    await new Promise<void>((resolve) => this.#server.listen(this.#path, resolve))
  }

  async down(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }
}
