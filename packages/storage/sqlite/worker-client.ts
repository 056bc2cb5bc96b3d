import { Worker } from 'node:worker_threads'
import type { ToldNotice, WithoutId, WorkerAnswer, WorkerRequest, WorkerSettings } from './messages.ts'

/** `errcode` is SQLite's extended result code (https://sqlite.org/rescode.html). */
export class SqliteError extends Error {
  override readonly name = 'SqliteError'
  readonly errcode: number

  constructor(message: string, errcode: number) {
    super(message)
    this.errcode = errcode
  }
}

/**
 * Young generations, each of two semi-spaces of a third of this. A batch of rows becomes several megabytes of
 * short-lived objects. With half of this room they are copied before they die, which costs a fifth more CPU
 * per row; twice the room saves nothing. A reader answers few queries.
 */
const writerLimits = { maxYoungGenerationSizeMb: 48 }
const readerLimits = { maxYoungGenerationSizeMb: 8 }

interface Waiting {
  resolve(answer: WorkerAnswer): void
  reject(error: Error): void
}

/** The event loop's side of one SQLite connection: sends requests and matches responses in order. */
export class WorkerClient {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #failure: Error | undefined

  constructor(settings: WorkerSettings, onNotice: (notice: string) => void) {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: settings,
      execArgv: [],
      resourceLimits: settings.queryOnly ? readerLimits : writerLimits,
    })
    this.#worker.on('message', (answer: WorkerAnswer | ToldNotice) => {
      if (answer.kind === 'notice') onNotice(answer.notice)
      else this.#settle(answer)
    })
    this.#worker.on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))))
    this.#worker.on('exit', () => this.#fail(new Error('The database connection is closed.')))
  }

  send(request: WithoutId<WorkerRequest>): Promise<WorkerAnswer> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      const handedOver = request.kind === 'batch' ? [request.lines.buffer] : []
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      this.#worker.postMessage({ ...request, id }, handedOver)
    })
  }

  async close(): Promise<void> {
    try {
      if (this.#failure === undefined) await this.send({ kind: 'close' })
    } finally {
      await this.#worker.terminate()
    }
  }

  #settle(answer: WorkerAnswer): void {
    const waiting = this.#waiting.get(answer.id)
    if (waiting === undefined) return
    this.#waiting.delete(answer.id)
    if (answer.kind === 'error') waiting.reject(errorOf(answer))
    else waiting.resolve(answer)
  }

  /** The first failure is the cause; the end of the thread follows it. */
  #fail(error: Error): void {
    this.#failure ??= error
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure)
    this.#waiting.clear()
  }
}

export function errorOf({ message, errcode }: Extract<WorkerAnswer, { kind: 'error' }>): Error {
  return errcode === null ? new Error(message) : new SqliteError(message, errcode)
}
