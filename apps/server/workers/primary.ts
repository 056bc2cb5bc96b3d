import cluster, { type Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { Gathering } from './gathering.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { workerVariable } from './numbers.ts'
import { RestartPause } from './restart-pause.ts'

/** Pause before a worker that exited on its own is restarted. */
const firstPauseMs = 500
const longestPauseMs = 30_000

interface Place {
  number: number
  worker: Worker | undefined
  readyAtMs: number | undefined
  pause: RestartPause
  timer: NodeJS.Timeout | undefined
}

export interface PrimaryOptions {
  count: number
  log: Logger
  /** Added to each worker's environment. */
  environment: Readonly<Record<string, string>>
  /** Called once, when all workers serve. */
  onReady: (banner: string) => void
}

/**
 * The process that starts the workers, restarts those that die, and ends when all have ended. It serves
 * nothing itself: the kernel distributes connections to the workers, which is cheaper than passing them on.
 */
export class Primary {
  readonly #options: PrimaryOptions
  readonly #places: Place[]
  readonly #gathering = new Gathering()
  readonly #ended = Promise.withResolvers<number>()
  #isReady = false
  #stopping = false
  #exitCode = 0

  constructor(options: PrimaryOptions) {
    this.#options = options
    this.#places = Array.from({ length: options.count }, (_, index) => ({
      number: index + 1,
      worker: undefined,
      readyAtMs: undefined,
      pause: new RestartPause(firstPauseMs, longestPauseMs),
      timer: undefined,
    }))
    cluster.schedulingPolicy = cluster.SCHED_NONE
  }

  /** Resolves with the exit code once all workers have ended. */
  run(): Promise<number> {
    // The first worker creates what all share: the schema, secrets, the demo account.
    this.#start(this.#places[0]!)
    return this.#ended.promise
  }

  /** Has every worker drain. */
  stop(): void {
    if (this.#stopping) return
    this.#stopping = true
    for (const { worker, timer } of this.#places) {
      clearTimeout(timer)
      worker?.process.kill('SIGTERM')
    }
    this.#endWhereAllHave()
  }

  /** Signals one worker, which notifies the others as it notifies other nodes. */
  refreshPrices(): void {
    this.#places.find(({ worker }) => worker !== undefined)?.worker?.process.kill('SIGHUP')
  }

  #start(place: Place): void {
    const worker = cluster.fork({ ...this.#options.environment, [workerVariable]: String(place.number) })
    place.worker = worker
    place.readyAtMs = undefined
    worker.on('message', (message: FromWorker) => this.#hear(place, message))
    worker.on('error', (error) =>
      this.#options.log.warn({ error: String(error) }, 'a worker cannot be notified'),
    )
    worker.on('exit', (code, signal) => this.#onExit(place, code, signal))
  }

  #hear(place: Place, message: FromWorker): void {
    switch (message.kind) {
      case 'ready':
        place.readyAtMs = performance.now()
        return this.#oneMore(message.banner)
      case 'metrics-wanted': {
        const serving = this.#places.filter(({ readyAtMs }) => readyAtMs !== undefined)
        return this.#gathering.begin(reachable(place), message.question, serving.map(reachable))
      }
      case 'metrics':
        return this.#gathering.take(place.number, message)
    }
  }

  #oneMore(banner: string): void {
    if (this.#isReady) return
    const missing = this.#places.filter(({ readyAtMs }) => readyAtMs === undefined)
    if (missing.length === 0) {
      this.#isReady = true
      return this.#options.onReady(banner)
    }
    for (const place of missing) if (place.worker === undefined) this.#start(place)
  }

  #onExit(place: Place, code: number | null, signal: string | null): void {
    const { log } = this.#options
    const servedMs = place.readyAtMs === undefined ? 0 : performance.now() - place.readyAtMs
    place.worker = undefined
    place.readyAtMs = undefined
    if (this.#stopping) {
      this.#exitCode ||= code ?? 1
      return this.#endWhereAllHave()
    }
    if (!this.#isReady) {
      // What prevents one worker's first start prevents all others'. The worker has printed the reason.
      this.#exitCode = code === null || code === 0 ? 1 : code
      return this.stop()
    }
    const pauseMs = place.pause.next(servedMs)
    log.error({ worker: place.number, code, signal, pauseMs }, 'a worker exited: restarting it')
    place.timer = setTimeout(() => this.#start(place), pauseMs)
  }

  #endWhereAllHave(): void {
    if (this.#places.every(({ worker }) => worker === undefined)) this.#ended.resolve(this.#exitCode)
  }
}

function reachable({ number, worker }: Place): { number: number; send(message: ToWorker): void } {
  // If the worker is gone by now, the one that waits for its response soon times out.
  return { number, send: (message) => void (worker?.isConnected() === true && worker.send(message)) }
}
