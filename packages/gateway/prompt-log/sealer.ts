import { Worker } from 'node:worker_threads'
import type { SealingJob, SealingResult, SealingSettings } from './sealing-worker.ts'

/** An entry that takes longer is given up along with its thread, so that no caller's text blocks others. */
const mostMs = 10_000
/** Assembling a stream of a few megabytes needs about ten times as much memory. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 }

type Answer = SealingResult | { failure: string }

interface Waiting {
  job: SealingJob
  resolve: (result: SealingResult) => void
  reject: (error: Error) => void
}

/** Redacts, compresses and seals captured requests, one at a time, on a thread that the first one starts. */
export class Sealer {
  readonly #settings: SealingSettings
  readonly #waiting: Waiting[] = []
  #worker: Worker | undefined
  #busy: Waiting | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(settings: SealingSettings) {
    this.#settings = settings
  }

  /** @throws if it cannot be parsed, or not in time */
  seal(job: SealingJob): Promise<SealingResult> {
    if (this.#isClosed) return Promise.reject(new Error('the node stops'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#stop(new Error('the node stops'))
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('the node stops'))
  }

  #next(): void {
    if (this.#busy !== undefined || this.#isClosed) return
    const waiting = this.#waiting.shift()
    if (waiting === undefined) return
    this.#busy = waiting
    this.#worker ??= this.#start()
    const late = (): void => void this.#stop(new Error(`it took longer than ${mostMs / 1_000} seconds`))
    this.#timer = setTimeout(late, mostMs).unref()
    const { body, answer } = waiting.job.seen
    const transfers = [body.bytes, answer.bytes]
      .filter((bytes) => bytes !== undefined)
      .map(({ buffer }) => buffer as ArrayBuffer)
    this.#worker.postMessage(waiting.job, [...new Set(transfers)])
  }

  #start(): Worker {
    const worker = new Worker(new URL('sealing-worker.ts', import.meta.url), {
      resourceLimits,
      workerData: this.#settings,
    })
    worker.unref()
    worker.on('message', (answer: Answer) => {
      if ('failure' in answer) this.#end((waiting) => waiting.reject(new Error(answer.failure)))
      else this.#end((waiting) => waiting.resolve(answer))
    })
    worker.on('error', (error) => void this.#stop(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', () => {
      if (this.#worker === worker) void this.#stop(new Error('its thread ended'))
    })
    return worker
  }

  #end(tell: (waiting: Waiting) => void): void {
    clearTimeout(this.#timer)
    const waiting = this.#busy
    this.#busy = undefined
    if (waiting !== undefined) tell(waiting)
    this.#next()
  }

  async #stop(reason: Error): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
    this.#end(({ reject }) => reject(reason))
  }
}
