import type { Completion } from './completion.ts'
import { EventStream } from './event-stream.ts'

interface Chunk {
  model?: string
  choices?: { delta?: { content?: string | null }; finish_reason?: string | null }[]
  usage?: { prompt_tokens?: number; completion_tokens?: number; cost_usd?: string } | null
  error?: Record<string, unknown>
}

export interface CompletionReadingOptions {
  /** The requested model; the answer names the one that served it. */
  model: string
  requestId: string | null
  /** When the request was sent, on the clock of `performance.now()`. */
  startMs: number
  /** Called with each piece of the text. */
  onText: (text: string) => void
  /** Makes the error to throw from an error event in the stream, which has the API's format. */
  failure: (error: Record<string, unknown>) => Error
}

/** Assembles a streamed chat completion as it arrives. */
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

  /**
   * Adds bytes of the stream.
   * @throws the result of `failure` for an error event
   */
  push(bytes: Uint8Array): void {
    for (const data of this.#events.push(bytes)) this.#read(data)
  }

  /** The whole completion; undefined if the stream broke off. */
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
    // Part of the answer is lost, and the reader reports that.
    return undefined
  }
}
