import { GatewayError, type StreamPart } from '@turnpike/protocol'
import { TextForm, type ParsedEvent } from '../../answers/text-form.ts'
import { describeAnswer, describeUnreadable } from '../../answers/unreadable.ts'
import { isObject, type JsonObject } from '../../json/object.ts'
import type { StreamDecoder } from '../../vendor.ts'
import { parseFinishReason } from './finish-reason.ts'
import { callDecoder, rawDecoder, textDecoder, type BlockDecoder } from './block-decoder.ts'
import { errorInAnswer, errorOfFinish } from './errors.ts'
import { parseUsage } from './usage.ts'

/** Members of an answer, or of the event that ends it, that are decoded below. */
const knownFields = new Set(['id', 'message', 'finish_reason', 'usage', 'error', 'type', 'generation_id'])
const spokenMembers = new Set(['role', 'content', 'tool_plan', 'tool_calls', 'citations'])

const message = ['delta', 'message'] as const
/** What differs between pieces of one block. */
const varying = {
  texts: [
    [...message, 'content', 'text'],
    [...message, 'content', 'thinking'],
    [...message, 'tool_plan'],
    [...message, 'tool_calls', 'function', 'arguments'],
  ],
  others: [],
} as const

/** Decodes the events of a stream: https://docs.cohere.com/docs/streaming. */
export class CohereDecoder implements StreamDecoder {
  #state: 'waiting' | 'open' | 'finished' | 'complete' | 'failed' = 'waiting'
  #id: unknown
  #blocks = 0
  /** By kind and index: content and a call may have the same index. */
  readonly #open = new Map<string, BlockDecoder>()
  /** Emitted after the answer's content: some arrive within their text, some after it. */
  readonly #citations: unknown[] = []
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
    const error = errorInAnswer(body, event)
    if (error !== undefined) return this.#fail(error)
    if (!isObject(body)) return this.#failUnread(JSON.stringify(body))
    const parts: StreamPart[] = []
    const delta = isObject(body['delta']) ? body['delta'] : {}
    const message = isObject(delta['message']) ? delta['message'] : {}
    const type = body['type'] ?? event
    if (type === 'message-start') return this.#messageStart(body)
    if (this.#state !== 'open') return parts
    switch (type) {
      case 'content-start':
        this.#contentStart(body['index'], message['content'], parts)
        break
      case 'content-delta':
        this.#contentDelta(body['index'], message['content'], parts)
        break
      case 'content-end':
        this.#end(keyOf('content', body['index']), parts)
        break
      case 'tool-plan-delta':
        this.#plan(message, parts)
        break
      case 'tool-call-start':
        this.#callStart(body['index'], message['tool_calls'], parts)
        break
      case 'tool-call-delta':
        if (isObject(message['tool_calls']))
          this.#open.get(keyOf('call', body['index']))?.push(message['tool_calls'], parts)
        break
      case 'tool-call-end':
        this.#end(keyOf('call', body['index']), parts)
        break
      case 'citation-start':
        if (message['citations'] !== undefined) this.#citations.push(message['citations'])
        break
      case 'message-end':
        return this.#messageEnd(delta, parts)
      // `citation-end`, and unknown events.
    }
    return parts
  }

  pushText(data: string): StreamPart[] {
    this.#texts.forget()
    if (this.#over()) return []
    if (data.trim() !== '[DONE]') return this.#failUnread(`not JSON: ${describeUnreadable(data)}`)
    if (this.#state === 'finished') this.#state = 'complete'
    return []
  }

  end(): StreamPart[] {
    if (this.#over() || this.#state === 'finished') return []
    const broken = 'The upstream ended its answer before it was complete.'
    return this.#fail(new GatewayError('upstream_error', broken))
  }

  /** Decodes a whole answer: all that a stream sends piece by piece. */
  pushWhole(body: unknown): StreamPart[] {
    const error = errorInAnswer(body, '')
    if (error !== undefined) return this.#fail(error)
    const message = isObject(body) ? body['message'] : undefined
    if (!isObject(body) || !isObject(message)) {
      const detail = describeAnswer(body)
      const none = 'The upstream did not return a chat response.'
      return this.#fail(new GatewayError('upstream_error', none, { detail }))
    }
    const parts = this.#messageStart(body)
    this.#plan(message, parts)
    for (const [index, content] of contentsOf(message['content']).entries()) {
      this.#contentStart(index, content, parts)
      this.#end(keyOf('content', index), parts)
    }
    for (const [index, call] of listOf(message['tool_calls']).entries()) {
      this.#callStart(index, call, parts)
      this.#end(keyOf('call', index), parts)
    }
    this.#citations.push(...listOf(message['citations']))
    this.#asides(message, spokenMembers, parts)
    return [...this.#messageEnd(body, parts), ...this.end()]
  }

  #over(): boolean {
    return this.#state === 'complete' || this.#state === 'failed'
  }

  #messageStart(body: JsonObject): StreamPart[] {
    const { id } = body
    if (this.#state !== 'waiting') {
      // A repeated head is harmless. A different answer within this one means that two were mixed.
      if (id === this.#id) return []
      const detail = `${JSON.stringify(id)} in ${JSON.stringify(this.#id)}`
      return this.#fail(
        new GatewayError('upstream_error', 'The upstream mixed two answers in one stream.', { detail }),
      )
    }
    this.#state = 'open'
    this.#id = id
    return [
      {
        type: 'response-start',
        id: typeof id === 'string' && id !== '' ? id : undefined,
        model: undefined,
        created: undefined,
        extensions: {},
      },
    ]
  }

  #contentStart(index: unknown, content: unknown, parts: StreamPart[]): void {
    if (!isObject(content)) return
    this.#end('plan', parts)
    const block = this.#blocks++
    const { type } = content
    const decoder =
      type === 'text'
        ? textDecoder(block, 'text', 'text')
        : type === 'thinking'
          ? textDecoder(block, 'reasoning', 'thinking')
          : rawDecoder(block, content)
    this.#start(keyOf('content', index), decoder, parts)
    if (type === 'text' || type === 'thinking') decoder.push(content, parts)
  }

  /** A piece of content that never began is treated as one: it is passed on, and counts. */
  #contentDelta(index: unknown, piece: unknown, parts: StreamPart[]): void {
    if (!isObject(piece)) return
    const key = keyOf('content', index)
    const type = typeof piece['thinking'] === 'string' ? 'thinking' : 'text'
    if (this.#open.has(key)) this.#open.get(key)!.push(piece, parts)
    else this.#contentStart(index, { ...piece, type }, parts)
  }

  /** The model's plan before it calls tools. */
  #plan(message: JsonObject, parts: StreamPart[]): void {
    const { tool_plan: plan } = message
    if (typeof plan !== 'string' || plan === '') return
    if (!this.#open.has('plan')) {
      this.#start('plan', textDecoder(this.#blocks++, 'reasoning', 'tool_plan'), parts)
    }
    this.#open.get('plan')!.push(message, parts)
  }

  #callStart(index: unknown, call: unknown, parts: StreamPart[]): void {
    if (!isObject(call)) return
    this.#end('plan', parts)
    const decoder = callDecoder(this.#blocks++, call)
    this.#start(keyOf('call', index), decoder, parts)
    decoder.push(call, parts)
  }

  #start(key: string, decoder: BlockDecoder, parts: StreamPart[]): void {
    this.#end(key, parts)
    this.#open.set(key, decoder)
    decoder.start(parts)
  }

  #end(key: string, parts: StreamPart[]): void {
    this.#open.get(key)?.end(parts)
    this.#open.delete(key)
  }

  #messageEnd(ending: JsonObject, parts: StreamPart[]): StreamPart[] {
    for (const key of this.#open.keys()) this.#end(key, parts)
    const usage = parseUsage(ending['usage'])
    if (usage !== undefined) parts.push({ type: 'usage', usage })
    const { finish_reason: rawReason } = ending
    if (typeof rawReason !== 'string') return parts
    const error = errorOfFinish(rawReason, ending['error'])
    if (error !== undefined) return [...parts, ...this.#fail(error)]
    if (this.#citations.length > 0) this.#aside('citations', this.#citations, parts)
    this.#asides(ending, knownFields, parts)
    parts.push({ type: 'finish', choice: 0, reason: parseFinishReason(rawReason), rawReason })
    this.#state = 'finished'
    return parts
  }

  #asides(holder: JsonObject, decodedNames: ReadonlySet<string>, parts: StreamPart[]): void {
    for (const [name, value] of Object.entries(holder)) {
      if (!decodedNames.has(name) && value !== null && value !== undefined) this.#aside(name, value, parts)
    }
  }

  /** Content without an equivalent here becomes a block of its own. */
  #aside(name: string, value: unknown, parts: StreamPart[]): void {
    const block = this.#blocks++
    parts.push({ type: 'block-start', choice: 0, block, kind: 'raw', name })
    parts.push({ type: 'block-delta', choice: 0, block, text: '', value })
    parts.push({ type: 'block-end', choice: 0, block })
  }

  #fail(error: GatewayError): StreamPart[] {
    this.#state = 'failed'
    return [{ type: 'error', error }]
  }

  #failUnread(detail: string | undefined): StreamPart[] {
    const options = detail === undefined ? {} : { detail }
    return this.#fail(new GatewayError('upstream_error', 'The upstream sent an unreadable event.', options))
  }
}

/** Accepts any value as the index: some objects cannot be converted to a string. */
function keyOf(kind: 'content' | 'call', index: unknown): string {
  return `${kind} ${JSON.stringify(index)}`
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Some vendors of this format write a string instead of a list with one item. */
function contentsOf(value: unknown): unknown[] {
  return typeof value === 'string' ? [{ type: 'text', text: value }] : listOf(value)
}
