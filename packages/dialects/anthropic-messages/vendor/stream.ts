import { GatewayError, type StreamPart } from '@turnpike/protocol'
import { isObject } from '../../json/object.ts'
import { TextForm, type ParsedEvent } from '../../answers/text-form.ts'
import { describeAnswer, describeUnreadable } from '../../answers/unreadable.ts'
import type { StreamDecoder } from '../../vendor.ts'
import { parseStopReason } from '../finish-reason.ts'
import { BlockDecoder } from './block-decoder.ts'
import { errorInAnswer } from './errors.ts'
import { answerToolName } from '../../requests/schemas/answer-tool.ts'
import { mergeUsage, parseUsage, type RawUsage } from './usage.ts'

type Body = Record<string, unknown>

/**
 * Fields of a message, or of the delta that ends it, that are decoded below. Any other non-null field, such
 * as a refusal's `stop_details`, becomes a raw block of its name.
 */
const knownFields = new Set([
  'id',
  'type',
  'role',
  'content',
  'model',
  'stop_reason',
  'stop_sequence',
  'usage',
])

/** What differs between deltas of one block. */
const varying = {
  texts: [
    ['delta', 'text'],
    ['delta', 'thinking'],
    ['delta', 'partial_json'],
  ],
  others: [],
} as const

/** Decodes the events of a stream: https://platform.claude.com/docs/en/build-with-claude/streaming. */
export class MessagesDecoder implements StreamDecoder {
  #id: unknown
  #usage: RawUsage = {}
  #state: 'waiting' | 'open' | 'finished' | 'complete' | 'failed' = 'waiting'
  #blocks = 0
  #answeredInJson = false
  #calledTools = false
  readonly #open = new Map<unknown, BlockDecoder>()
  readonly #texts = new TextForm()

  readFast(data: string, event: string, plain: boolean): StreamPart[] | undefined {
    const delta = this.#texts.readFast(data, event, plain)
    return delta === undefined ? undefined : [delta]
  }

  learn(parsedEvent: ParsedEvent, parts: readonly StreamPart[]): void {
    const [part] = parts
    // Arguments may stay blank to the end, which is only known if all of them were parsed.
    if (part?.type === 'block-delta' && part.text.trim() !== '')
      this.#texts.learn(parsedEvent, parts, varying)
  }

  push(body: unknown, event: string): StreamPart[] {
    this.#texts.forget()
    if (this.#over()) return []
    if (!isObject(body)) return this.#fail('The upstream sent an unreadable event.', JSON.stringify(body))
    const parts: StreamPart[] = []
    switch (body['type'] ?? event) {
      case 'message_start':
        return this.#messageStart(body['message'])
      case 'content_block_start':
        if (this.#state === 'open') this.#blockStart(body['index'], body['content_block'], parts)
        break
      case 'content_block_delta':
        if (isObject(body['delta'])) this.#blockDelta(body['index'], body['delta'], parts)
        break
      case 'content_block_stop':
        this.#blockStop(body['index'], parts)
        break
      case 'message_delta':
        this.#messageDelta(body, parts)
        break
      case 'message_stop':
        if (this.#state === 'finished') this.#state = 'complete'
        break
      case 'error':
        this.#state = 'failed'
        return [{ type: 'error', error: errorInAnswer(body) }]
      // Pings, and unknown events, which Anthropic's page above says to ignore.
    }
    return parts
  }

  pushText(data: string): StreamPart[] {
    this.#texts.forget()
    // Some vendors of this format add OpenAI's end marker.
    if (this.#over() || data === '[DONE]') return []
    return this.#fail('The upstream sent an unreadable event.', `not JSON: ${describeUnreadable(data)}`)
  }

  end(): StreamPart[] {
    return this.#over() ? [] : this.#fail('The upstream ended its answer before it was complete.')
  }

  /** Decodes a whole message: all that a stream sends piece by piece. */
  pushWhole(message: Body): StreamPart[] {
    if (message['type'] === 'error') return [{ type: 'error', error: errorInAnswer(message) }]
    if (message['type'] !== 'message' || !Array.isArray(message['content']))
      return this.#fail('The upstream did not return a message.', describeAnswer(message))
    const parts = this.#messageStart({ ...message, usage: undefined })
    this.#messageDelta({ delta: message, usage: message['usage'] }, parts)
    if (this.#state === 'finished') this.#state = 'complete'
    return [...parts, ...this.end()]
  }

  #over(): boolean {
    return this.#state === 'complete' || this.#state === 'failed'
  }

  #messageStart(message: unknown): StreamPart[] {
    if (!isObject(message))
      return this.#fail('The upstream sent an unreadable event.', describeAnswer(message))
    if (this.#state !== 'waiting') {
      // A repeated head is harmless. A different message within this one means that two answers were mixed.
      if (message['id'] === this.#id) return []
      const detail = `${JSON.stringify(message['id'])} in ${JSON.stringify(this.#id)}`
      return this.#fail('The upstream mixed two answers in one stream.', detail)
    }
    this.#state = 'open'
    this.#id = message['id']
    const parts: StreamPart[] = [
      {
        type: 'response-start',
        id: textOr(message['id'], undefined),
        model: textOr(message['model'], undefined),
        created: undefined,
        extensions: {},
      },
    ]
    this.#startUsage(message['usage'], parts)
    const content = Array.isArray(message['content']) ? (message['content'] as unknown[]) : []
    for (const block of content) {
      this.#blockStart(undefined, block, parts)
      this.#blockStop(undefined, parts)
    }
    return parts
  }

  /** The input is counted from the first event on, so that an answer which breaks off is charged for it. */
  #startUsage(raw: unknown, parts: StreamPart[]): void {
    if (!isObject(raw)) return
    const { output_tokens: _notYetCounted, ...input } = raw
    this.#usage = input
    const usage = parseUsage(input)
    if (usage !== undefined) parts.push({ type: 'usage', usage })
  }

  #blockStart(index: unknown, raw: unknown, parts: StreamPart[]): void {
    if (!isObject(raw)) return
    const block = new BlockDecoder(raw, () => this.#blocks++)
    this.#open.set(index, block)
    if (raw['type'] === 'tool_use') {
      if (raw['name'] === answerToolName) this.#answeredInJson = true
      else this.#calledTools = true
    }
    block.start(parts)
  }

  /** A piece of a block that never began is treated as one: it is passed on, and counts. */
  #blockDelta(index: unknown, delta: Body, parts: StreamPart[]): void {
    if (!this.#open.has(index)) {
      if (this.#state !== 'open') return
      this.#blockStart(index, { type: kindOfDelta(delta['type']) }, parts)
    }
    this.#open.get(index)?.delta(delta, parts)
  }

  #blockStop(index: unknown, parts: StreamPart[]): void {
    this.#open.get(index)?.stop(parts)
    this.#open.delete(index)
  }

  #messageDelta(body: Body, parts: StreamPart[]): void {
    const delta = isObject(body['delta']) ? body['delta'] : {}
    const { type: _type, delta: _delta, usage: raw, ...beside } = body
    if (isObject(raw)) {
      this.#usage = mergeUsage(this.#usage, raw)
      const usage = parseUsage(this.#usage)
      if (usage !== undefined) parts.push({ type: 'usage', usage })
    }
    const rawReason = delta['stop_reason']
    if (typeof rawReason !== 'string' || this.#state !== 'open') return
    for (const index of this.#open.keys()) this.#blockStop(index, parts)
    this.#rest({ ...delta, ...beside }, parts)
    // The tool for a JSON answer is not the caller's: if it is the only one called, the answer just ended.
    const answered = rawReason === 'tool_use' && this.#answeredInJson && !this.#calledTools
    const reason = answered ? 'stop' : parseStopReason(rawReason)
    parts.push({ type: 'finish', choice: 0, reason, rawReason })
    this.#state = 'finished'
  }

  #rest(fields: Body, parts: StreamPart[]): void {
    for (const [name, value] of Object.entries(fields)) {
      if (knownFields.has(name) || value === null || value === undefined) continue
      const block = this.#blocks++
      parts.push({ type: 'block-start', choice: 0, block, kind: 'raw', name })
      parts.push({ type: 'block-delta', choice: 0, block, text: '', value })
      parts.push({ type: 'block-end', choice: 0, block })
    }
  }

  #fail(message: string, detail?: string): StreamPart[] {
    this.#state = 'failed'
    const options = detail === undefined ? {} : { detail }
    return [{ type: 'error', error: new GatewayError('upstream_error', message, options) }]
  }
}

function kindOfDelta(type: unknown): string {
  return type === 'thinking_delta' || type === 'signature_delta' ? 'thinking' : 'text'
}

function textOr<Other>(value: unknown, other: Other): string | Other {
  return typeof value === 'string' && value !== '' ? value : other
}
