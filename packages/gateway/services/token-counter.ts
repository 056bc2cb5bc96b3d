import { Worker } from 'node:worker_threads'

/** Counted in full up to here; of a longer text the first part is counted and the rest reckoned from it. */
const maxCountedCharacters = 262_144

/** Texts that wait for the worker at most; beyond it the count is reckoned from the length. */
const maxWaiting = 256

const charactersPerToken = 4

/** One text at a time is split into tokens: short-lived objects need little room. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

interface Waiting {
  text: string
  resolve: (tokens: number) => void
}

/**
 * Counts tokens where the vendor reported none, in a thread of its own: the vocabulary takes a moment to
 * load and a long text a moment to count, and neither may hold up other requests.
 */
export class TokenCounter {
  readonly #onFailure: (error: Error) => void
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #nextId = 0

  constructor(onFailure: (error: Error) => void) {
    this.#onFailure = onFailure
  }

  /**
   * Tokens of OpenAI's `o200k_base`; never rejects: without the worker it is reckoned from the length.
   * @param mostWaiting where so many texts wait already, it is reckoned, too
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
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('token-counter-worker.ts', import.meta.url), { resourceLimits })
    worker.unref()
    worker.on('message', ({ id, tokens }: { id: number; tokens: number }) => this.#answer(id, tokens))
    worker.on('error', (error: Error) => this.#fail(error))
    worker.on('exit', () => this.#fail(undefined))
    return worker
  }

  #answer(id: number, tokens: number): void {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    this.#waiting.delete(id)
    const { length } = waiting.text
    waiting.resolve(
      length <= maxCountedCharacters ? tokens : Math.ceil((tokens * length) / maxCountedCharacters),
    )
  }

  #fail(error: Error | undefined): void {
    if (error !== undefined) this.#onFailure(error)
    this.#worker = undefined
    for (const { text, resolve } of this.#waiting.values()) resolve(estimateByLength(text))
    this.#waiting.clear()
  }
}

function estimateByLength(text: string): number {
  return Math.ceil(text.length / charactersPerToken)
}
