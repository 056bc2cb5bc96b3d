import type { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import { exitCodes, Failure } from '../failure.ts'
import { apiFailure, refusalOf } from '../network/answer.ts'
import { networkFailure } from '../network/network-failure.ts'
import { EventStream } from './event-stream.ts'

export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface CompletionRequest {
  model: string
  messages: Message[]
  maxTokens?: number
  tags?: string[]
}

export interface Completion {
  /** The model that served. */
  model: string
  content: string
  finishReason: string | null
  tokensIn: number | null
  tokensOut: number | null
  costUsd: string | null
  firstTokenMs: number | null
  totalMs: number
  requestId: string | null
}

interface Chunk {
  model?: string
  choices?: { delta?: { content?: string | null }; finish_reason?: string | null }[]
  usage?: { prompt_tokens?: number; completion_tokens?: number; cost_usd?: string } | null
  error?: Record<string, unknown>
}

/** A stream that says nothing at all for so long, not even that it is alive, is given up. */
const silenceMs = 120_000

/**
 * Asks for a chat completion as a stream. It is never sent twice: each one costs.
 * @param onText gets the text piece by piece
 * @throws {Failure} also where the stream breaks off
 */
export async function complete(
  context: Context,
  key: string,
  request: CompletionRequest,
  onText: (text: string) => void,
  signal?: AbortSignal,
): Promise<Completion> {
  const url = `${context.apiUrl}/v1/chat/completions`
  const startMs = performance.now()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sent = { method: 'POST', url, headers, body: JSON.stringify(bodyOf(request)) }
  const answer = await context.network.send(sent, signal)
  if (!answer.ok) throw await refusalOf(answer, url)
  const reading = new CompletionReading(request.model, answer.header('x-request-id'), startMs)
  await readEvents(answer.body, url, (data) => reading.push(data, onText))
  return reading.end(url)
}

function bodyOf({ model, messages, maxTokens, tags }: CompletionRequest): object {
  return {
    model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
    ...(tags !== undefined && tags.length > 0 && { metadata: { tags } }),
  }
}

async function readEvents(body: Readable, url: string, onData: (data: string) => void): Promise<void> {
  const events = new EventStream()
  const timer = setTimeout(() => body.destroy(networkFailure(undefined, url, silenceMs)), silenceMs)
  try {
    for await (const piece of body) {
      timer.refresh()
      for (const data of events.push(piece as Buffer)) onData(data)
    }
  } catch (error) {
    if (error instanceof Failure || (error instanceof Error && error.name === 'AbortError')) throw error
    throw networkFailure(error, url)
  } finally {
    clearTimeout(timer)
  }
}

/** What has arrived of an answer. */
class CompletionReading {
  #isDone = false
  readonly #startMs: number
  readonly #completion: Completion

  constructor(model: string, requestId: string | null, startMs: number) {
    this.#startMs = startMs
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

  push(data: string, onText: (text: string) => void): void {
    if (data === '[DONE]') {
      this.#isDone = true
      return
    }
    const chunk = chunkOf(data)
    const completion = this.#completion
    if (chunk.error !== undefined) throw apiFailure(chunk.error, 502, completion.requestId)
    const choice = chunk.choices?.[0]
    const text = choice?.delta?.content ?? ''
    completion.model = chunk.model ?? completion.model
    completion.finishReason = choice?.finish_reason ?? completion.finishReason
    if (text !== '') {
      completion.firstTokenMs ??= Math.round(performance.now() - this.#startMs)
      completion.content += text
      onText(text)
    }
    if (chunk.usage) {
      completion.tokensIn = chunk.usage.prompt_tokens ?? null
      completion.tokensOut = chunk.usage.completion_tokens ?? null
      completion.costUsd = chunk.usage.cost_usd ?? null
    }
  }

  end(url: string): Completion {
    if (!this.#isDone) {
      throw new Failure(`The answer of ${new URL(url).host} broke off.`, {
        type: 'network_error',
        exitCode: exitCodes.network,
        requestId: this.#completion.requestId,
      })
    }
    this.#completion.totalMs = Math.round(performance.now() - this.#startMs)
    return this.#completion
  }
}

function chunkOf(data: string): Chunk {
  try {
    return JSON.parse(data) as Chunk
  } catch {
    // Passed on as a failure of the server's: a piece of the answer is lost.
    throw apiFailure({ message: 'The server sent an event that is not JSON.', type: 'api_error' }, 502, null)
  }
}
