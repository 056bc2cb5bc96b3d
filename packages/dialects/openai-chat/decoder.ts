import { GatewayError, type StreamPart } from '@turnpike/protocol'
import { ChoiceDecoder, type ChatDelta } from './choice-decoder.ts'
import { errorInAnswer } from './error.ts'
import { parseUsage } from './usage.ts'

/** Fields of a chunk that have a word of ours, or that only pad it. */
const spokenFields = new Set(['id', 'object', 'created', 'model', 'choices', 'usage', 'error', 'obfuscation'])

interface ChatChoice {
  index?: unknown
  delta?: ChatDelta | null
  message?: ChatDelta | null
  logprobs?: unknown
  finish_reason?: unknown
}

/**
 * Chunks of a streamed answer to parts
 * (https://platform.openai.com/docs/api-reference/chat-streaming/streaming), one object a request.
 */
export class ChatDecoder {
  #started = false
  #done = false
  #failed = false
  #usage = false
  readonly #choices = new Map<number, ChoiceDecoder>()

  /** One event's data, parsed; `done` is the text `[DONE]`. */
  push(chunk: unknown): StreamPart[] {
    const parts: StreamPart[] = []
    if (typeof chunk !== 'object' || chunk === null) return parts
    const body = chunk as Record<string, unknown>
    const error = errorInAnswer(body)
    if (error !== undefined) {
      this.#failed = true
      parts.push({ type: 'error', error })
      return parts
    }
    if (!this.#started) this.#start(body, parts)
    const choices = body['choices']
    if (Array.isArray(choices)) {
      for (let at = 0; at < choices.length; at++) this.#choice((choices[at] ?? {}) as ChatChoice, at, parts)
    }
    if (body['usage'] !== null && body['usage'] !== undefined) this.#countUsage(body['usage'], parts)
    return parts
  }

  /** An event that is no JSON: the answer cannot be trusted from here on. */
  unreadable(data: string): StreamPart[] {
    this.#failed = true
    const detail = `not a JSON object: ${data.slice(0, 200)}`
    return [
      {
        type: 'error',
        error: new GatewayError('upstream_error', 'The upstream sent an unreadable event.', { detail }),
      },
    ]
  }

  /** The stream's own end marker, `[DONE]`. */
  done(): void {
    this.#done = true
  }

  /** The upstream closed. A stream without its finish is an error, never a clean end. */
  end(): StreamPart[] {
    if (this.#failed || this.#finished()) return []
    const error = new GatewayError('upstream_error', 'The upstream broke off before its answer was complete.')
    return [{ type: 'error', error }]
  }

  #finished(): boolean {
    if (this.#choices.size === 0) return false
    for (const choice of this.#choices.values()) {
      if (!choice.finished) return false
    }
    return this.#done || this.#usage
  }

  #start(body: Record<string, unknown>, parts: StreamPart[]): void {
    this.#started = true
    parts.push(responseStart(body))
  }

  #choice(choice: ChatChoice, position: number, parts: StreamPart[]): void {
    const index = typeof choice.index === 'number' ? choice.index : position
    let decoder = this.#choices.get(index)
    if (decoder === undefined) {
      decoder = new ChoiceDecoder(index)
      this.#choices.set(index, decoder)
    }
    const delta = choice.delta ?? choice.message
    if (delta !== null && delta !== undefined) decoder.delta(delta, choice.logprobs, parts)
    if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
      decoder.finish(choice.finish_reason, parts)
    }
  }

  #countUsage(raw: unknown, parts: StreamPart[]): void {
    const usage = parseUsage(raw)
    if (usage === undefined) return
    this.#usage = true
    parts.push({ type: 'usage', usage })
  }
}

function responseStart(body: Record<string, unknown>): StreamPart {
  const extensions: Record<string, unknown> = {}
  for (const field in body) {
    if (!spokenFields.has(field) && body[field] !== null) extensions[field] = body[field]
  }
  const { id, model, created } = body
  return {
    type: 'response-start',
    id: typeof id === 'string' && id !== '' ? id : undefined,
    model: typeof model === 'string' && model !== '' ? model : undefined,
    created: typeof created === 'number' ? created : undefined,
    extensions,
  }
}

/** The parts of a whole answer, which `fold` puts together: the same as those of a stream. */
export function decodeResponse(body: unknown): StreamPart[] {
  const decoder = new ChatDecoder()
  const parts = decoder.push(body)
  decoder.done()
  return [...parts, ...decoder.end()]
}
