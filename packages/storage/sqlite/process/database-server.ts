import { rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import type { RequestStore } from '@turnpike/gateway'
import { migrate } from '../../migrations/migrate.ts'
import { errcodeOf, SqliteConnection } from '../connection.ts'
import { localDatabase, localRequests } from '../local-requests.ts'
import type { Greeting, WorkerAnswer, WorkerRequest } from '../messages.ts'
import { ensureFile, settingsOf, type SqliteOptions } from '../open.ts'
import { stepBehindRequests } from '../thread-priority.ts'
import { readFrames, sendFrame } from './frames.ts'

/** A client that is silent for this long inside a transaction is rolled back and disconnected. */
const idleTransactionTimeoutMs = 10_000
/** More than there can be workers. */
const maxClients = 512
/** A client with this many unread bytes is disconnected. It reconnects and discards its caches. */
const maxUnreadBytes = 16 * 1024 * 1024

export interface DatabaseServerOptions extends Omit<SqliteOptions, 'engine' | 'socketPath'> {
  /** The socket to listen on, in a folder that only its owner can access. */
  socketPath: string
  /** Default: 10 s. */
  idleTransactionMs?: number
}

/** A client sends one request at a time. */
interface Client {
  socket: Socket
  /** The request that waits for its turn. */
  waiting: WorkerRequest | undefined
}

/**
 * The writing connection that several workers share, in a process of its own. Transactions work as between
 * threads: a client that has begun one keeps the connection to its end, and the others wait in order.
 */
export class DatabaseServer {
  readonly #connection: SqliteConnection
  readonly #requests: RequestStore
  readonly #server: Server
  readonly #clients = new Set<Client>()
  /** The client whose request or transaction is running. */
  #holder: Client | undefined
  #queue: Client[] = []
  #idleTimer: NodeJS.Timeout | undefined
  #batch: Promise<void> | undefined
  #isClosed = false
  readonly #idleTransactionMs: number

  private constructor(options: DatabaseServerOptions) {
    this.#connection = new SqliteConnection(settingsOf(options), (notice) => this.#broadcast(notice))
    this.#requests = localRequests(this.#connection)
    this.#idleTransactionMs = options.idleTransactionMs ?? idleTransactionTimeoutMs
    this.#server = createServer((socket) => this.#greet(socket))
    this.#server.maxConnections = maxClients
  }

  /** Brings the schema up to date, and listens. */
  static async start(options: DatabaseServerOptions): Promise<DatabaseServer> {
    ensureFile(options.path)
    // Nobody waits for the batches of finished requests that it writes.
    stepBehindRequests()
    const server = new DatabaseServer(options)
    try {
      await migrate({ engine: 'sqlite', write: localDatabase(server.#connection) }, true)
      await server.#listen(options.socketPath)
      return server
    } catch (error) {
      server.#connection.answer({ kind: 'close' })
      throw error
    }
  }

  /** Rolls back an open transaction, and finishes a batch that is being written. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const { socket } of this.#clients) socket.destroy()
    await closed
    await this.#batch
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    this.#connection.answer({ kind: 'close' })
  }

  #listen(socketPath: string): Promise<void> {
    // Left over by a process that was killed.
    if (process.platform !== 'win32') rmSync(socketPath, { force: true })
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(socketPath, () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
  }

  #greet(socket: Socket): void {
    const client: Client = { socket, waiting: undefined }
    this.#clients.add(client)
    readFrames(socket, (request) => this.#take(client, request as WorkerRequest))
    // The socket closes after an error anyway, which the other end notices.
    socket.on('error', () => undefined)
    socket.on('close', () => this.#leave(client))
    sendFrame(socket, { kind: 'greeting' } satisfies Greeting)
  }

  #take(client: Client, request: WorkerRequest): void {
    if (client.waiting !== undefined || (this.#holder === client && this.#idleTimer === undefined))
      return void client.socket.destroy(new Error('one request at a time'))
    if (this.#holder !== undefined && this.#holder !== client) {
      client.waiting = request
      this.#queue.push(client)
      return
    }
    clearTimeout(this.#idleTimer)
    this.#idleTimer = undefined
    this.#holder = client
    this.#serve(client, request)
  }

  #serve(client: Client, request: WorkerRequest): void {
    if (request.kind === 'batch') {
      this.#batch = this.#requests
        .writeLines(request.nodeId, request.lines)
        .then((written): WorkerAnswer => ({ id: request.id, kind: 'batch', written }))
        .catch((error: unknown) => failure(request.id, error))
        .then((answer) => this.#end(client, answer))
      return
    }
    this.#end(client, this.#answer(request))
  }

  #answer(request: Exclude<WorkerRequest, { kind: 'batch' }>): WorkerAnswer {
    try {
      if (request.kind === 'close') throw new Error('the database belongs to all workers')
      return { id: request.id, ...this.#connection.answer(request) }
    } catch (error) {
      return failure(request.id, error)
    }
  }

  /** Sends a response. Inside a transaction the client keeps the connection. */
  #end(client: Client, answer: WorkerAnswer): void {
    if (!this.#clients.has(client)) return this.#release()
    sendFrame(client.socket, answer)
    if (!this.#connection.inTransaction) return this.#release()
    this.#idleTimer = setTimeout(
      () => client.socket.destroy(new Error('a transaction was left open')),
      this.#idleTransactionMs,
    )
  }

  #leave(client: Client): void {
    this.#clients.delete(client)
    this.#queue = this.#queue.filter((one) => one !== client)
    // A batch that is being written is finished.
    if (this.#holder === client && this.#idleTimer !== undefined) this.#release()
  }

  /** Rolls back an abandoned transaction, and serves the next client. */
  #release(): void {
    if (this.#isClosed) return
    clearTimeout(this.#idleTimer)
    this.#idleTimer = undefined
    if (this.#connection.inTransaction) this.#connection.answer({ kind: 'query', ...rollbackQuery })
    const next = this.#queue.shift()
    this.#holder = next
    if (next?.waiting === undefined) return
    const request = next.waiting
    next.waiting = undefined
    this.#serve(next, request)
  }

  /** Sent before the commit is acknowledged, so that all nodes have it before the caller continues. */
  #broadcast(notice: string): void {
    for (const { socket } of this.#clients)
      if (socket.writableLength < maxUnreadBytes) sendFrame(socket, { kind: 'notice', notice })
      else socket.destroy(new Error('nothing is read any more'))
  }
}

const rollbackQuery = { sql: 'rollback', parameters: [] } as const

function failure(id: number, error: unknown): WorkerAnswer {
  const message = error instanceof Error ? error.message : String(error)
  return { id, kind: 'error', message, errcode: errcodeOf(error) }
}
