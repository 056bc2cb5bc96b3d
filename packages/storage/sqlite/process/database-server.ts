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

/**
 * Whoever says nothing for so long in the middle of a transaction keeps all others from theirs: it is rolled
 * back, and its connection ends.
 */
const idleTransactionTimeoutMs = 10_000
/** More than there can be workers. */
const maxClients = 512
/** Who has so much left unread is halted: when it is back, it connects anew, and takes nothing for known. */
const maxUnreadBytes = 16 * 1024 * 1024

export interface DatabaseServerOptions extends Omit<SqliteOptions, 'engine' | 'socketPath'> {
  /** Where it listens; in a folder that is its owner's alone. */
  socketPath: string
  /** Default: 10 s. */
  idleTransactionMs?: number
}

/** Asks for one thing at a time. */
interface Client {
  socket: Socket
  /** What it asked for, while it waits for its turn. */
  waiting: WorkerRequest | undefined
}

/**
 * The one writing connection of several workers' database, in a process of its own. What a transaction is to
 * threads it is to processes: who has begun one has the connection to its end, the others wait in the order
 * in which they came.
 */
export class DatabaseServer {
  readonly #connection: SqliteConnection
  readonly #requests: RequestStore
  readonly #server: Server
  readonly #clients = new Set<Client>()
  /** Whose request, or transaction, is under way. */
  #holder: Client | undefined
  #queue: Client[] = []
  #idleTimer: NodeJS.Timeout | undefined
  #batch: Promise<void> | undefined
  #isClosed = false
  readonly #idleTransactionMs: number

  private constructor(options: DatabaseServerOptions) {
    this.#connection = new SqliteConnection(settingsOf(options), (notice) => this.#tell(notice))
    this.#requests = localRequests(this.#connection)
    this.#idleTransactionMs = options.idleTransactionMs ?? idleTransactionTimeoutMs
    this.#server = createServer((socket) => this.#greet(socket))
    this.#server.maxConnections = maxClients
  }

  /** Brings the schema up to date, and listens. */
  static async start(options: DatabaseServerOptions): Promise<DatabaseServer> {
    ensureFile(options.path)
    // For the batches of finished requests that it writes nobody waits.
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

  /** A transaction that is open is rolled back; a batch that is under way is written. */
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
    // One that was killed leaves it.
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
    // It is closed all the same: whoever is at its other end sees as much.
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

  /** A request is done; within a transaction the client keeps the connection. */
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
    // A batch that is under way is written to its end.
    if (this.#holder === client && this.#idleTimer !== undefined) this.#release()
  }

  /** The next one's turn; a transaction that was left is rolled back. */
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

  /** Before the commit is answered: whoever made the change tells nobody of it before all are told. */
  #tell(notice: string): void {
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
