import type { GatewayError, StreamPart, Usage } from '@turnpike/protocol'
import { isError } from '../../answers/error-part.ts'
import type { BridgeHead, BridgeListener, Cost, StreamBridge } from '../../bridge.ts'
import { patchUsage } from '../../answers/patch-usage.ts'
import { parseJson } from '../../json/parse-json.ts'
import { asBytes, SseParser, utf8, type SseListener } from '../../sse/parser.ts'
import { formatError } from '../caller/errors.ts'
import { serverSentEvents, type Framing } from '../caller/framing.ts'
import { GenerateDecoder } from '../vendor/stream.ts'
import { headingOf } from '../caller/stream.ts'
import { formatUsage } from '../caller/usage.ts'
import { openAnswer, type Ended } from './open-answer.ts'

type Json = Record<string, unknown>

/**
 * Passes a streamed answer from Google's format to itself. Each of its answers passes with our model's name.
 * The finish reasons and the usage follow in an answer of their own, once the cost is settled.
 */
export class GenerateStreamBridge implements StreamBridge, SseListener {
  readonly #head: BridgeHead
  readonly #listener: BridgeListener
  readonly #framing: Framing
  readonly #parser = new SseParser(this, ' ')
  readonly #decoder = new GenerateDecoder()
  /** How each candidate ended, by its index. */
  readonly #endings = new Map<number, Ended>()
  #id: unknown
  /** What follows the candidates in each answer, latin1: our model, and the answer's id. */
  #heading: string | undefined
  /** How much of an answer after its text passes, if `readFast` decodes it. */
  #behindText = 0
  #failed = false

  constructor(head: BridgeHead, listener: BridgeListener, framing: Framing = serverSentEvents) {
    this.#head = head
    this.#listener = listener
    this.#framing = framing
  }

  push(chunk: Buffer): void {
    this.#parser.pushBytes(chunk)
  }

  end(): void {
    this.#parser.end()
    const parts = this.#decoder.end()
    if (parts.length > 0) this.#listener.onEvent(parts, '')
  }

  onEvent(data: string, event: string): void {
    const read = this.#decoder.readFast(data, event, this.#parser.plain)
    if (read !== undefined) {
      const open = data.slice(0, this.#decoder.textEnd + this.#behindText)
      return this.#listener.onEvent(read, this.#passAnswer(open))
    }
    const text = this.#parser.plain ? data : utf8(data)
    const body = parseJson(text)
    if (body === undefined) return this.#emit(this.#decoder.pushText(text), '')
    const parts = this.#decoder.push(body)
    this.#failed ||= parts.some(isError)
    if (this.#failed) return this.#emit(parts, '')
    if (Array.isArray(body)) return this.#emit(parts, this.#passAll(body))
    const open = this.#open(data, body as Json)
    // Only if this holds do the later ones pass by their beginning, too.
    if (open !== undefined && data.startsWith(open)) {
      this.#decoder.learn({ data, event, body }, parts)
      this.#behindText = open.length - this.#decoder.textEnd
    }
    this.#emit(parts, this.#passAnswer(open))
  }

  closing(usage: Usage | undefined, cost: Cost): string {
    const answer: Json = {}
    if (this.#endings.size > 0) answer['candidates'] = [...this.#endings.values()]
    if (usage !== undefined) answer['usageMetadata'] = patchUsage(usage.raw, usage, cost, formatUsage)
    const { model, id } = this.#head
    const whole = { ...answer, modelVersion: model, responseId: this.#id ?? id }
    return this.#framing.frame(asBytes(JSON.stringify(whole))) + this.#framing.end()
  }

  failing(error: GatewayError, requestId: string): string {
    const json = asBytes(JSON.stringify(formatError(error, requestId)))
    return this.#framing.frame(json) + this.#framing.end()
  }

  #emit(parts: readonly StreamPart[], text: string): void {
    if (parts.length > 0 || text !== '') this.#listener.onEvent(parts, text)
  }

  #withHead(): string {
    this.#heading ??= asBytes(headingOf(this.#head.model, this.#id ?? this.#head.id))
    return this.#heading
  }

  /** A list of answers, as in streams without `alt=sse`. */
  #passAll(answers: readonly unknown[]): string {
    const passOne = (one: unknown): string =>
      this.#passAnswer(this.#open(asBytes(JSON.stringify(one)), one as Json))
    return answers.map(passOne).join('')
  }

  /** An answer without its endings and what concerns the whole. Undefined if nothing remains. */
  #open(data: string, answer: Json): string | undefined {
    this.#id ??= answer['responseId']
    return openAnswer(data, answer, this.#endings)
  }

  #passAnswer(open: string | undefined): string {
    return open === undefined ? '' : this.#framing.frame(open + this.#withHead())
  }
}
