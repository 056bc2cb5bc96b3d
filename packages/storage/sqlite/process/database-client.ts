import { connect, type Socket } from 'node:net'
import { rollback } from '../connection.ts'
import type { Greeting, ToldNotice, WithoutId, WorkerAnswer, WorkerRequest } from '../messages.ts'
import { errorOf } from '../worker-client.ts'
import { readFrames, sendFrame } from './frames.ts'

/** Pause between attempts to connect. */
const retryMs = 50
/** How long a request waits for a connection: a process restarts in less. */
const connectTimeoutMs = 2_000
/** A halted process neither responds nor closes its connections. */
const answerTimeoutMs = 65_000

export interface DatabaseClientOptions {
  socketPath: string
  onNotice: (notice: string) => void
  /** Called once when the connection is lost, and not again before there is one. */
  onLost: (error: Error) => void
  /** Called when the connection is back; notices may have been missed. */
  onBack: () => void
  /** Default: 65 s. */
  answerMs?: number
}

interface Waiting {
  request: WithoutId<WorkerRequest>
  timer: NodeJS.Timeout
  resolve(answer: WorkerAnswer): void
  reject(error: Error): void
}

/**
 * A worker's client of the database process, with the same messages as for a thread. A lost connection is
 * restored, but not its transaction: later statements of that transaction are rejected. On another connection
 * each of them would be a transaction of its own.
 */
export class DatabaseClient {
  readonly #options: DatabaseClientOptions
  readonly #waiting = new Map<number, Waiting>()
  /** The newest socket. It becomes `#socket` once the process has sent its greeting. */
  #made: Socket | undefined
  #socket: Socket | undefined
  #connected = Promise.withResolvers<Socket>()
  #transaction: 'none' | 'open' | 'lost' = 'none'
  #lastId = 0
  #isLost = false
  #retryTimer: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: DatabaseClientOptions) {
    this.#options = options
    this.#connect()
  }

  get isConnected(): boolean {
    return this.#socket !== undefined
  }

  /** The driver makes sure that each caller has the connection to itself. */
  async send(request: WithoutId<WorkerRequest>): Promise<WorkerAnswer> {
    if (this.#closed) throw closedError()
    if (this.#transaction === 'lost') {
      if (request.kind !== 'query' || request.sql !== rollback) throw lostError()
      this.#transaction = 'none'
      return { id: 0, kind: 'changes', changes: 0n }
    }
    const socket = this.#socket ?? (await this.#awaitSocket())
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => socket.destroy(), this.#options.answerMs ?? answerTimeoutMs)
      this.#waiting.set(id, { request, timer, resolve, reject })
      sendFrame(socket, { ...request, id })
    })
  }

  /** Waits for the requests in progress. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retryTimer)
    this.#connected.promise.catch(ignoreRejection)
    this.#connected.reject(closedError())
    while (this.#waiting.size > 0) await new Promise((resolve) => this.#socket?.once('close', resolve))
    this.#made?.destroy()
  }

  #connect(): void {
    const socket = connect(this.#options.socketPath)
    this.#made = socket
    let cause: Error | undefined
    socket.on('error', (error) => (cause = error))
    socket.once('close', () => this.#lose(socket, cause))
    readFrames(socket, (frame) => {
      const message = frame as WorkerAnswer | ToldNotice | Greeting
      if ('id' in message) this.#settle(message)
      // The socket may connect before the process registers it, and notices sent meanwhile would be missed.
      else if (message.kind === 'greeting') this.#use(socket)
      else this.#options.onNotice(message.notice)
    })
  }

  #use(socket: Socket): void {
    if (this.#closed) return void socket.destroy()
    this.#socket = socket
    this.#connected.resolve(socket)
    if (this.#isLost) this.#options.onBack()
    this.#isLost = false
  }

  #lose(socket: Socket, cause: Error | undefined): void {
    if (this.#socket === socket) {
      this.#socket = undefined
      this.#connected = Promise.withResolvers()
      if (this.#transaction === 'open') this.#transaction = 'lost'
      const waiting = [...this.#waiting.values()]
      this.#waiting.clear()
      for (const one of waiting) {
        clearTimeout(one.timer)
        one.reject(lostError(cause))
      }
      if (!this.#closed && !this.#isLost) this.#options.onLost(lostError(cause))
      this.#isLost = true
    }
    if (!this.#closed) this.#retryTimer = setTimeout(() => this.#connect(), retryMs)
  }

  async #awaitSocket(): Promise<Socket> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(awayError()), connectTimeoutMs)
    })
    try {
      return await Promise.race([this.#connected.promise, late])
    } finally {
      clearTimeout(timer)
    }
  }

  #settle(answer: WorkerAnswer): void {
    const waiting = this.#waiting.get(answer.id)
    if (waiting === undefined) return
    this.#waiting.delete(answer.id)
    clearTimeout(waiting.timer)
    this.#follow(waiting.request, answer.kind !== 'error')
    if (answer.kind === 'error') waiting.reject(errorOf(answer))
    else waiting.resolve(answer)
    if (this.#closed && this.#waiting.size === 0) this.#socket?.destroy()
  }

  /** Tracks whether a transaction is open. A commit that fails leaves it open until it is rolled back. */
  #follow(request: WithoutId<WorkerRequest>, succeeded: boolean): void {
    if (request.kind !== 'query') return
    const { sql } = request
    if (sql === rollback) this.#transaction = 'none'
    else if (!succeeded) return
    else if (sql === 'commit') this.#transaction = 'none'
    else if (sql.startsWith('begin')) this.#transaction = 'open'
  }
}

function lostError(cause?: Error): Error {
  const error = new Error('The connection to the database process was lost.', { cause })
  return Object.assign(error, { code: 'ECONNRESET' })
}

function awayError(): Error {
  return Object.assign(new Error('The database process does not answer.'), { code: 'ECONNREFUSED' })
}

function closedError(): Error {
  return new Error('The database connection is closed.')
}

/** Ignores the rejection: callers that wait for a connection have their own. */
function ignoreRejection(): void {
  return
}
