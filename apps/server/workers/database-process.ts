import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { DatabaseServerOptions } from '@turnpike/storage/database-server'
import type { Logger } from 'pino'
import type { FromDatabase, ToDatabase } from './messages.ts'
import { RestartPause } from './restart-pause.ts'
import { makeSocketPath, removeSocketPath } from './socket-path.ts'

/** Pause before a process that exited on its own is restarted. */
const firstPauseMs = 100
const longestPauseMs = 5_000
/** Time to write its last page. Then it is killed, which loses nothing. */
const stopTimeoutMs = 10_000

export interface DatabaseProcessOptions {
  dataDir: string
  options: Omit<DatabaseServerOptions, 'socketPath'>
  log: Logger
}

/** The primary's handle on the process with the embedded database: starts it, and restarts it if it dies. */
export class DatabaseProcess {
  readonly socketPath: string
  readonly #options: DatabaseProcessOptions
  #child: ChildProcess | undefined
  readonly #pause = new RestartPause(firstPauseMs, longestPauseMs)
  #timer: NodeJS.Timeout | undefined
  #stopping = false

  private constructor(options: DatabaseProcessOptions, socketPath: string) {
    this.#options = options
    this.socketPath = socketPath
  }

  /**
   * Resolves when workers can connect.
   * @throws the reason why the process cannot start
   */
  static async start(options: DatabaseProcessOptions): Promise<DatabaseProcess> {
    const database = new DatabaseProcess(options, await makeSocketPath(options.dataDir))
    try {
      await database.#start()
      return database
    } catch (error) {
      await database.stop()
      throw error
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#timer)
    const child = this.#child
    if (child !== undefined) {
      const exited = once(child, 'exit')
      tell(child, { kind: 'stop' })
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      await exited
      clearTimeout(timer)
    }
    removeSocketPath(this.socketPath)
  }

  /** Resolves when the process listens; rejects with the reason if it fails or exits first. */
  #start(): Promise<void> {
    const startedAtMs = performance.now()
    const child = fork(fileURLToPath(new URL('./database.ts', import.meta.url)))
    this.#child = child
    return new Promise((resolve, reject) => {
      let isListening = false
      child.once('message', (message: FromDatabase) => {
        if (message.kind === 'failed') return reject(errorOf(message))
        isListening = true
        resolve()
      })
      child.on('error', (error) => {
        this.#options.log.warn({ error: String(error) }, 'the database process cannot be notified')
        reject(error)
      })
      child.once('exit', (code, signal) => {
        this.#child = undefined
        if (isListening) this.#startAgain({ code, signal }, performance.now() - startedAtMs)
        else reject(new Error(`the database process exited (${signal ?? code})`))
      })
      tell(child, { kind: 'open', options: { ...this.#options.options, socketPath: this.socketPath } })
    })
  }

  /** Until then, workers keep their rows, and refuse requests that need the database. */
  #startAgain(why: object, servedMs: number): void {
    if (this.#stopping) return
    const pauseMs = this.#pause.next(servedMs)
    this.#options.log.error({ ...why, pauseMs }, 'the database process exited: restarting it')
    this.#timer = setTimeout(() => {
      this.#start().catch((error: unknown) => this.#startAgain({ error: String(error) }, 0))
    }, pauseMs)
  }
}

function errorOf({ message, code, syscall }: Extract<FromDatabase, { kind: 'failed' }>): Error {
  return Object.assign(new Error(message), { code, syscall })
}

/** A process without a channel has died: it is being restarted, or was to stop anyway. */
function tell(child: ChildProcess, message: ToDatabase): void {
  if (child.connected) child.send(message)
}
