import type { Completion } from './completion.ts'
import { EventStream } from './event-stream.ts'

interface Chunk {
  model?: string
  choices?: { delta?: { content?: string | null }; finish_reason?: string | null }[]
  usage?: { prompt_tokens?: number; completion_tokens?: number; cost_usd?: string } | null
  error?: Record<string, unknown>
}

export interface CompletionReadingOptions {
  /** Asked for; the answer says which one served. */
  model: string
  requestId: string | null
  /** When it was asked, on the clock of `performance.now()`. */
  startMs: number
  /** Told the text piece by piece. */
  onText: (text: string) => void
  /** What to throw for the error that a stream ends with, which is one of the API's. */
  failure: (error: Record<string, unknown>) => Error
}

/** Puts a streamed chat completion together as it arrives. */
export class CompletionReading {
  readonly #options: CompletionReadingOptions
  readonly #events = new EventStream()
  readonly #completion: Completion
  #isDone = false

  constructor(options: CompletionReadingOptions) {
    this.#options = options
    const { model, requestId } = options
    this.#completion = {
      model,
      content: '',
      finishReason: null,
      tokensIn: null,
      tokensOut: null,
      costUsd: null,
      firstTokenMs: null,
      totalMs: 0,
      requestId,
    }
  }

  /** More of the stream. @throws what `failure` makes of an error in it */
  push(bytes: Uint8Array): void {
    for (const data of this.#events.push(bytes)) this.#read(data)
  }

  /** The whole of it; undefined where the stream broke off. */
  end(): Completion | undefined {
    if (!this.#isDone) return undefined
    this.#completion.totalMs = Math.round(performance.now() - this.#options.startMs)
    return this.#completion
  }

  #read(data: string): void {
    if (data === '[DONE]') {
      this.#isDone = true
      return
    }
    const { startMs, onText, failure } = this.#options
    const completion = this.#completion
    const chunk = chunkOf(data)
    if (chunk === undefined)
      throw failure({ message: 'The server sent an event that is not JSON.', type: 'api_error' })
    if (chunk.error !== undefined) throw failure(chunk.error)
    const choice = chunk.choices?.[0]
    const text = choice?.delta?.content ?? ''
    completion.model = chunk.model ?? completion.model
    completion.finishReason = choice?.finish_reason ?? completion.finishReason
    if (text !== '') {
      completion.firstTokenMs ??= Math.round(performance.now() - startMs)
      completion.content += text
      onText(text)
    }
    if (chunk.usage) {
      completion.tokensIn = chunk.usage.prompt_tokens ?? null
      completion.tokensOut = chunk.usage.completion_tokens ?? null
      completion.costUsd = chunk.usage.cost_usd ?? null
    }
  }
}

function chunkOf(data: string): Chunk | undefined {
  try {
    return JSON.parse(data) as Chunk
  } catch {
    // A piece of the answer is lost, which the reader says.
    return undefined
  }
}
