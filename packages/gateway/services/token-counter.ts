import { Worker } from 'node:worker_threads'

/** How much of a text is counted; the rest of a longer text is extrapolated. */
const maxCountedCharacters = 262_144

/** How many texts may wait for the worker; beyond it, counts are estimated from the length. */
const maxWaiting = 256

const charactersPerToken = 4

/** With nothing to count for this long, the worker ends: it holds 100 MB, and starting one takes 0.4 s. */
const keptIdleMs = 60_000

/** One text at a time is split into tokens: short-lived objects need little room. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

interface Waiting {
  text: string
  resolve: (tokens: number) => void
}

/**
 * Counts tokens that the vendor did not report, on a thread of its own: loading the vocabulary and counting a
 * long text take a moment, and must not block other requests.
 */
export class TokenCounter {
  readonly #onFailure: (error: Error) => void
  readonly #waiting = new Map<number, Waiting>()
  readonly #keptIdleMs: number
  #worker: Worker | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #nextId = 0

  constructor(onFailure: (error: Error) => void, idleMs = keptIdleMs) {
    this.#onFailure = onFailure
    this.#keptIdleMs = idleMs
  }

  /** Whether there is a worker at the moment. */
  get isRunning(): boolean {
    return this.#worker !== undefined
  }

  /**
   * Counts tokens of OpenAI's `o200k_base`. Never rejects: without the worker, the count is estimated from
   * the length.
   * @param mostWaiting if this many texts already wait, the count is estimated too
   */
  count(text: string, mostWaiting = maxWaiting): Promise<number> {
    if (text === '') return Promise.resolve(0)
    if (this.#waiting.size >= mostWaiting) return Promise.resolve(estimateByLength(text))
    const worker = (this.#worker ??= this.#start())
    const id = this.#nextId++
    const counted = text.slice(0, maxCountedCharacters)
    return new Promise<number>((resolve) => {
      this.#waiting.set(id, { text, resolve })
      worker.postMessage({ id, text: counted })
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('token-counter-worker.ts', import.meta.url), { resourceLimits })
    worker.unref()
    worker.on('message', ({ id, tokens }: { id: number; tokens: number }) => this.#answer(id, tokens))
    worker.on('error', (error: Error) => this.#fail(worker, error))
    worker.on('exit', () => this.#fail(worker, undefined))
    this.#idleTimer ??= setTimeout(() => this.#endIdle(), this.#keptIdleMs).unref()
    return worker
  }

  /** The next text starts a new worker. While texts wait, the last answer starts the time anew. */
  #endIdle(): void {
    if (this.#waiting.size > 0) return
    const worker = this.#worker
    this.#worker = undefined
    this.#idleTimer = undefined
    void worker?.terminate()
  }

  #answer(id: number, tokens: number): void {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    this.#waiting.delete(id)
    const { length } = waiting.text
    waiting.resolve(
      length <= maxCountedCharacters ? tokens : Math.ceil((tokens * length) / maxCountedCharacters),
    )
    this.#idleTimer?.refresh()
  }

  #fail(worker: Worker, error: Error | undefined): void {
    if (error !== undefined) this.#onFailure(error)
    if (worker !== this.#worker) return
    this.#worker = undefined
    for (const { text, resolve } of this.#waiting.values()) resolve(estimateByLength(text))
    this.#waiting.clear()
  }
}

function estimateByLength(text: string): number {
  return Math.ceil(text.length / charactersPerToken)
}
