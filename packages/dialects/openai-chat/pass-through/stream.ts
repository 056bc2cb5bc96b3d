import { errorEnvelope, type GatewayError, type StreamPart, type Usage } from '@turnpike/protocol'
import { isError } from '../../answers/error-part.ts'
import { parsedObject } from '../../json/object.ts'
import { withoutWithheld } from '../../answers/withheld-members.ts'
import type { BridgeHead, BridgeListener, Cost, StreamBridge } from '../../bridge.ts'
import { asBytes, ownText, SseParser, utf8, type SseListener } from '../../sse/parser.ts'
import { pricedUsage } from '../caller/usage.ts'
import { ChatDecoder } from '../vendor/stream.ts'
import { choicesConform, patchChunk, patchHead, type ChatBody } from './answer.ts'
import { ChoiceForms } from './choice-form.ts'
import { TextChunks } from './text-chunk.ts'

const choicesKey = '"choices":'
const nullUsage = ',"usage":null'

/**
 * A streamed answer from OpenAI's format to itself. Chunks of one answer begin alike, up to their choices:
 * that beginning is rewritten once, and what follows it is passed on byte for byte. A chunk that is
 * different from the others is rewritten on its own.
 */
export class ChatStreamBridge implements StreamBridge, SseListener {
  readonly #head: BridgeHead
  readonly #listener: BridgeListener
  readonly #parser = new SseParser(this)
  readonly #decoder = new ChatDecoder()
  readonly #textChunks = new TextChunks()
  readonly #forms = new ChoiceForms()
  /** How chunks begin at the upstream, and how they begin for the caller. */
  #beginning = ''
  /** With all that stands before it in an event. */
  #beginningOut = ''
  #beginningHasUsage = false
  #usageChunk: ChatBody | undefined

  constructor(head: BridgeHead, listener: BridgeListener) {
    this.#head = { ...head }
    this.#listener = listener
  }

  push(chunk: Buffer): void {
    this.#parser.pushBytes(chunk)
  }

  end(broken = false): void {
    if (this.#parser.end().truncated) this.#decoder.cut()
    const parts = this.#decoder.end(broken)
    if (parts.length > 0) this.#listener.onEvent(parts, '')
  }

  onEvent(data: string, event: string): void {
    if (data === '[DONE]') {
      this.#decoder.pushText(data)
      return
    }
    const begins = data.slice(0, this.#beginning.length)
    // Compared as a slice, which is much faster than `startsWith`.
    if (begins !== '' && begins === this.#beginning) this.#alike(data)
    else this.#different(data, event)
  }

  closing(usage: Usage | undefined, cost: Cost): string {
    if (!this.#head.includeUsage || usage === undefined) return 'data: [DONE]\n\n'
    const body = patchHead({ ...this.#usageChunk, choices: [] }, 'chat.completion.chunk', this.#head)
    return `${event({ ...body, usage: pricedUsage(usage, cost) })}data: [DONE]\n\n`
  }

  failing(error: GatewayError, requestId: string): string {
    const body = patchHead({}, 'chat.completion.chunk', this.#head)
    const choices = [{ index: 0, delta: {}, finish_reason: 'error' }]
    return event({ ...body, choices, ...errorEnvelope(error, requestId) })
  }

  /** A chunk that begins as the others do: only its choices are looked at. */
  #alike(data: string): void {
    const rest = data.slice(this.#beginning.length)
    const known = this.#textChunks.read(rest, this.#parser.plain)
    if (known !== undefined) {
      const { part, tail } = known
      const usage = tail.startsWith(nullUsage) ? null : undefined
      const said = rest.slice(0, rest.length - tail.length)
      this.#listener.onEvent([part], `${this.#beginningOut}${said}${this.#ending(tail, usage)}\n\n`)
      return
    }
    const body = this.#parsed(`{${choicesKey}${rest}`)
    if (body === undefined) return this.#unreadable(data)
    const parts = this.#decoder.push(body)
    const choices = this.#forms.conformed(body['choices'])
    const whole = choices === body['choices'] && choicesConform(choices) && !parts.some(isError)
    if (!whole || (body['usage'] ?? null) !== null || withoutWithheld(body) !== body)
      return this.#rewrite({ ...(this.#parsed(data) ?? body), choices }, parts)
    this.#textChunks.learn(rest, parts)
    this.#listener.onEvent(parts, `${this.#beginningOut}${this.#ending(rest, body['usage'])}\n\n`)
  }

  /** A null usage is for those who asked for usage: they get one with every chunk, as OpenAI says. */
  #ending(rest: string, usage: unknown): string {
    if (this.#head.includeUsage) {
      if (usage === null || this.#beginningHasUsage) return rest
      return `${rest.slice(0, rest.lastIndexOf('}'))}${nullUsage}}`
    }
    if (usage === undefined) return rest
    const at = rest.lastIndexOf(nullUsage)
    return at > rest.lastIndexOf(']') ? rest.slice(0, at) + rest.slice(at + nullUsage.length) : rest
  }

  #different(data: string, event: string): void {
    const body = this.#parsed(data)
    if (body === undefined) return this.#unreadable(data)
    this.#learn(data, body)
    const parts = this.#decoder.push(body, event)
    this.#rewrite({ ...body, choices: this.#forms.conformed(body['choices']) }, parts)
  }

  #rewrite(body: ChatBody, parts: readonly StreamPart[]): void {
    this.#textChunks.forget()
    if (parts.some(isError)) return this.#listener.onEvent(parts, '')
    const counted = body['usage'] !== undefined && body['usage'] !== null
    if (counted) this.#usageChunk = body
    const empty = !Array.isArray(body['choices']) || body['choices'].length === 0
    this.#listener.onEvent(parts, counted && empty ? '' : event(patchChunk(body, this.#head)))
  }

  /** Remembers how this chunk begins, and what of the answer's head later events of ours must repeat. */
  #learn(data: string, body: ChatBody): void {
    if (typeof body['id'] === 'string' && body['id'] !== '') this.#head.id = body['id']
    if (typeof body['created'] === 'number' && body['created'] > 0)
      this.#head.created = Math.trunc(body['created'])
    const at = data.indexOf(choicesKey)
    if (at === -1) return
    const beginning = this.#parsed(`${data.slice(0, at)}${choicesKey}[]}`)
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

  /** An event that is no JSON: the decoder says what that means. */
  #unreadable(data: string): void {
    this.#listener.onEvent(this.#decoder.pushText(utf8(data)), '')
  }

  /** Understood as text, though it is passed on as bytes: an escape may stand beside a byte of UTF-8. */
  #parsed(data: string): ChatBody | undefined {
    return parsedObject(this.#parser.plain ? data : utf8(data))
  }
}

function event(body: ChatBody): string {
  return `data: ${asBytes(JSON.stringify(body))}\n\n`
}
