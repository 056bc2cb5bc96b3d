import { errorEnvelope, type GatewayError, type Usage } from '@turnpike/protocol'
import { isError } from '../../answers/error-part.ts'
import { isObject } from '../../json/object.ts'
import type { BridgeHead, BridgeListener, Cost, StreamBridge } from '../../bridge.ts'
import { parseJson } from '../../json/parse-json.ts'
import { formatPricedUsage } from '../../openai-chat/caller/usage.ts'
import { patchHead, type ChatBody } from '../../openai-chat/pass-through/answer.ts'
import { asBytes, ownText, SseParser, utf8, type SseListener } from '../../sse/parser.ts'
import type { CompletionContext } from '../completion-context.ts'
import { CompletionsDecoder } from '../vendor/stream.ts'
import { choicesConform, patchChunk } from './answer.ts'
import { frameObject } from '../../sse/frame.ts'

/** What surrounds the choices of an event: from the vendor, and for the caller. */
interface Frame {
  before: string
  after: string
  beforeOut: string
}

const choicesKey = '"choices"'
const afterOut = ']}\n\n'

/**
 * Passes a streamed answer from OpenAI's completions to themselves. The events of one answer differ only in
 * their choices, which pass byte for byte. What surrounds them, including the model's name after them, is
 * rewritten once. An event that differs from the others is rewritten on its own.
 */
export class CompletionsStreamBridge implements StreamBridge, SseListener {
  readonly #head: BridgeHead
  readonly #listener: BridgeListener
  readonly #parser = new SseParser(this, ' ')
  readonly #decoder: CompletionsDecoder
  #frame: Frame | undefined
  #usageChunk: ChatBody | undefined

  constructor(head: BridgeHead, listener: BridgeListener) {
    this.#head = { ...head }
    this.#listener = listener
    this.#decoder = new CompletionsDecoder(head.asked as CompletionContext | undefined)
  }

  push(chunk: Buffer): void {
    this.#parser.pushBytes(chunk)
  }

  end(broken = false): void {
    if (this.#parser.end().truncated) this.#decoder.markCut()
    const parts = this.#decoder.end(broken)
    if (parts.length > 0) this.#listener.onEvent(parts, '')
  }

  onEvent(data: string, event: string): void {
    const read = this.#decoder.readFast(data, event, this.#parser.plain)
    // The event that the decoder learnt from had this frame.
    if (read !== undefined) this.#listener.onEvent(read, frameEvent(data, this.#frame!))
    else if (data === '[DONE]') this.#decoder.pushText(data)
    else if (!this.#passEvent(data, event)) this.#rewritten(data, event)
  }

  closing(usage: Usage | undefined, cost: Cost): string {
    if (!this.#head.includeUsage || usage === undefined) return 'data: [DONE]\n\n'
    const body = patchHead({ ...this.#usageChunk, choices: [] }, 'text_completion', this.#head)
    return `${frameObject({ ...body, usage: formatPricedUsage(usage, cost) })}data: [DONE]\n\n`
  }

  failing(error: GatewayError, requestId: string): string {
    const body = patchHead({}, 'text_completion', this.#head)
    const choices = [{ text: '', index: 0, logprobs: null, finish_reason: 'error' }]
    return frameObject({ ...body, choices, ...errorEnvelope(error, requestId) })
  }

  /** False for an event that differs from the earlier ones, which then is not handled yet. */
  #passEvent(data: string, event: string): boolean {
    const frame = this.#frame
    if (frame === undefined) return false
    const { before, after } = frame
    const end = data.length - after.length
    // Comparing slices is much faster than `startsWith`, which checks each character.
    if (end < before.length || data.slice(0, before.length) !== before || data.slice(end) !== after)
      return false
    const choices = this.#parse(`[${data.slice(before.length, end)}]`)
    if (!Array.isArray(choices) || !choicesConform(choices)) return false
    const body = { choices }
    const parts = this.#decoder.push(body, event)
    this.#decoder.learn({ data, event, body }, parts)
    this.#listener.onEvent(parts, parts.some(isError) ? '' : frameEvent(data, frame))
    return true
  }

  #rewritten(data: string, type: string): void {
    const body = this.#parse(data)
    if (!isObject(body)) return this.#listener.onEvent(this.#decoder.pushText(utf8(data)), '')
    this.#learn(data, body)
    const parts = this.#decoder.push(body, type)
    if (parts.some(isError)) return this.#listener.onEvent(parts, '')
    const isCounted = body['usage'] !== undefined && body['usage'] !== null
    if (isCounted) this.#usageChunk = body
    const isEmpty = !Array.isArray(body['choices']) || body['choices'].length === 0
    this.#listener.onEvent(parts, isCounted && isEmpty ? '' : frameObject(patchChunk(body, this.#head)))
  }

  /** Remembers what surrounds the choices, and what our own later events must repeat from it. */
  #learn(data: string, body: ChatBody): void {
    if (typeof body['id'] === 'string' && body['id'] !== '') this.#head.id = body['id']
    if (typeof body['created'] === 'number' && body['created'] > 0)
      this.#head.created = Math.trunc(body['created'])
    const key = data.indexOf(choicesKey)
    const start = key === -1 ? -1 : data.indexOf('[', key)
    const end = data.lastIndexOf(']')
    if (start === -1 || end < start) return
    const before = data.slice(0, start + 1)
    const after = data.slice(end)
    const around = this.#parse(before + after)
    if (!isObject(around) || !isEmptyList(around['choices']) || around['model'] === undefined) return
    if ((around['usage'] ?? null) !== null || (around['error'] ?? null) !== null) return
    const { choices: _none, ...head } = patchChunk(around, this.#head)
    const beforeOut = `data: ${asBytes(JSON.stringify(head)).slice(0, -1)},${choicesKey}:[`
    this.#frame = { before: ownText(before), after: ownText(after), beforeOut: ownText(beforeOut) }
  }

  /** Parses the real text, though the bytes pass unchanged: an escape may be next to a byte of UTF-8. */
  #parse(data: string): unknown {
    return parseJson(this.#parser.plain ? data : utf8(data))
  }
}

/** The choices of an event in the caller's frame. */
function frameEvent(data: string, { before, after, beforeOut }: Frame): string {
  return beforeOut + data.slice(before.length, data.length - after.length) + afterOut
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
