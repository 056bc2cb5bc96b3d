import { errorEnvelope, type GatewayError, type StreamPart, type Usage } from '@turnpike/protocol'
import { isError } from '../../answers/error-part.ts'
import { parseObject } from '../../json/object.ts'
import { withoutWithheld } from '../../answers/withheld-members.ts'
import type { BridgeHead, BridgeListener, Cost, StreamBridge } from '../../bridge.ts'
import { asBytes, ownText, SseParser, utf8, type SseListener } from '../../sse/parser.ts'
import { formatPricedUsage } from '../caller/usage.ts'
import { ChatDecoder } from '../vendor/stream.ts'
import { choicesConform, patchChunk, patchHead, type ChatBody } from './answer.ts'
import { ChoiceForms } from './choice-form.ts'
import { frameObject } from '../../sse/frame.ts'

const choicesKey = '"choices":'
const nullUsage = ',"usage":null'

/**
 * Passes a streamed answer from OpenAI's format to itself. Chunks of one answer begin alike, up to their
 * choices. That beginning is rewritten once, and what follows passes byte for byte. A chunk that differs from
 * the others is rewritten on its own.
 */
export class ChatStreamBridge implements StreamBridge, SseListener {
  readonly #head: BridgeHead
  readonly #listener: BridgeListener
  readonly #parser = new SseParser(this, ' ')
  readonly #decoder = new ChatDecoder()
  readonly #forms = new ChoiceForms()
  /** How the upstream's chunks begin, and how they begin for the caller. */
  #beginning = ''
  /** Including everything before it in an event. */
  #beginningOut = ''
  #beginningHasUsage = false
  /** The `usage` member beside the choices, in chunks like the one that the decoder learnt from. */
  #usageBeside: unknown
  #usageChunk: ChatBody | undefined

  constructor(head: BridgeHead, listener: BridgeListener) {
    this.#head = { ...head }
    this.#listener = listener
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
    if (data === '[DONE]') {
      this.#decoder.pushText(data)
      return
    }
    const read = this.#decoder.readFast(data, event, this.#parser.plain)
    // The chunk that the decoder learnt from had the same beginning.
    if (read !== undefined) return this.#listener.onEvent(read, this.#passChunk(data, this.#usageBeside))
    const begins = data.slice(0, this.#beginning.length)
    // Compared as a slice, which is much faster than `startsWith`.
    if (begins !== '' && begins === this.#beginning) this.#alike(data, event)
    else this.#different(data, event)
  }

  closing(usage: Usage | undefined, cost: Cost): string {
    if (!this.#head.includeUsage || usage === undefined) return 'data: [DONE]\n\n'
    const body = patchHead({ ...this.#usageChunk, choices: [] }, 'chat.completion.chunk', this.#head)
    return `${frameObject({ ...body, usage: formatPricedUsage(usage, cost) })}data: [DONE]\n\n`
  }

  failing(error: GatewayError, requestId: string): string {
    const body = patchHead({}, 'chat.completion.chunk', this.#head)
    const choices = [{ index: 0, delta: {}, finish_reason: 'error' }]
    return frameObject({ ...body, choices, ...errorEnvelope(error, requestId) })
  }

  /** Handles a chunk with the common beginning: only its choices are checked. */
  #alike(data: string, event: string): void {
    const body = this.#parse(`{${choicesKey}${data.slice(this.#beginning.length)}`)
    if (body === undefined) return this.#unreadable(data)
    const parts = this.#decoder.push(body, event)
    const { usage } = body
    const choices = this.#forms.conform(body['choices'])
    const whole = choices === body['choices'] && choicesConform(choices) && !parts.some(isError)
    if (!whole || (usage ?? null) !== null || withoutWithheld(body) !== body)
      return this.#rewrite({ ...(this.#parse(data) ?? body), choices }, parts)
    this.#decoder.learn({ data, event, body }, parts)
    this.#usageBeside = usage
    this.#listener.onEvent(parts, this.#passChunk(data, usage))
  }

  /**
   * Passes a chunk with the common beginning. A null usage is kept only for callers who asked for usage, who
   * get one with every chunk, as OpenAI documents.
   * @param usage the member beside the choices
   */
  #passChunk(data: string, usage: unknown): string {
    const rest = data.slice(this.#beginning.length)
    if (this.#head.includeUsage) {
      if (usage === null || this.#beginningHasUsage) return `${this.#beginningOut}${rest}\n\n`
      return `${this.#beginningOut}${rest.slice(0, rest.lastIndexOf('}'))}${nullUsage}}\n\n`
    }
    const at = usage === undefined ? -1 : rest.lastIndexOf(nullUsage)
    if (at === -1 || at < rest.lastIndexOf(']')) return `${this.#beginningOut}${rest}\n\n`
    return `${this.#beginningOut}${rest.slice(0, at)}${rest.slice(at + nullUsage.length)}\n\n`
  }

  #different(data: string, event: string): void {
    const body = this.#parse(data)
    if (body === undefined) return this.#unreadable(data)
    this.#learn(data, body)
    const parts = this.#decoder.push(body, event)
    this.#rewrite({ ...body, choices: this.#forms.conform(body['choices']) }, parts)
  }

  #rewrite(body: ChatBody, parts: readonly StreamPart[]): void {
    if (parts.some(isError)) return this.#listener.onEvent(parts, '')
    const counted = body['usage'] !== undefined && body['usage'] !== null
    if (counted) this.#usageChunk = body
    const empty = !Array.isArray(body['choices']) || body['choices'].length === 0
    this.#listener.onEvent(parts, counted && empty ? '' : frameObject(patchChunk(body, this.#head)))
  }

  /** Remembers how this chunk begins, and what our own later events must repeat from the answer's head. */
  #learn(data: string, body: ChatBody): void {
    if (typeof body['id'] === 'string' && body['id'] !== '') this.#head.id = body['id']
    if (typeof body['created'] === 'number' && body['created'] > 0)
      this.#head.created = Math.trunc(body['created'])
    const at = data.indexOf(choicesKey)
    if (at === -1) return
    const beginning = this.#parse(`${data.slice(0, at)}${choicesKey}[]}`)
    if (beginning === undefined || beginning['model'] === undefined) return
    const counted = beginning['usage'] !== undefined && beginning['usage'] !== null
    if (counted || (beginning['error'] !== undefined && beginning['error'] !== null)) return
    if (!this.#head.includeUsage) delete beginning['usage']
    this.#beginningHasUsage = beginning['usage'] === null
    delete beginning['choices']
    const text = asBytes(JSON.stringify(patchHead(beginning, 'chat.completion.chunk', this.#head)))
    this.#beginning = ownText(data.slice(0, at + choicesKey.length))
    this.#beginningOut = ownText(`data: ${text.slice(0, -1)},${choicesKey}`)
  }

  /** Handles an event that is not JSON: the decoder decides what it means. */
  #unreadable(data: string): void {
    this.#listener.onEvent(this.#decoder.pushText(utf8(data)), '')
  }

  /** Parses the real text, though the bytes pass unchanged: an escape may be next to a byte of UTF-8. */
  #parse(data: string): ChatBody | undefined {
    return parseObject(this.#parser.plain ? data : utf8(data))
  }
}
