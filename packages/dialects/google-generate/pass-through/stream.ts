import type { GatewayError, StreamPart, Usage } from '@turnpike/protocol'
import type { BridgeHead, BridgeListener, Cost, StreamBridge } from '../../bridge.ts'
import { withoutMoney } from '../../answers/withheld-members.ts'
import { parsed } from '../../json/parsed.ts'
import { SseParser, utf8, type SseListener } from '../../sse/parser.ts'
import { formatError } from '../caller/errors.ts'
import { serverSentEvents, type Framing } from '../caller/framing.ts'
import { GenerateDecoder } from '../vendor/stream.ts'
import { toldUsage } from './answer.ts'

type Json = Record<string, unknown>

/**
 * A streamed answer from Google's format to itself. Each of its answers passes with our model's name; the
 * reasons why the candidates ended, and the usage, stand in one of their own behind them, once it is settled
 * what the whole cost.
 */
export class GenerateStreamBridge implements StreamBridge, SseListener {
  readonly #head: BridgeHead
  readonly #listener: BridgeListener
  readonly #framing: Framing
  readonly #parser = new SseParser(this)
  readonly #decoder = new GenerateDecoder()
  /** Of each candidate, by its index, how it ended. */
  readonly #endings = new Map<number, Json>()
  #usage: unknown
  #id: unknown
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

  onEvent(data: string): void {
    const text = this.#parser.plain ? data : utf8(data)
    const body = parsed(text)
    if (body === undefined) return this.#tell(this.#decoder.pushText(text), '')
    const parts = this.#decoder.push(body)
    const answers = Array.isArray(body) ? (body as unknown[]) : [body]
    this.#failed ||= parts.some(isError)
    const said = this.#failed ? '' : answers.map((answer) => this.#passed(answer as Json)).join('')
    this.#tell(parts, said)
  }

  closing(usage: Usage | undefined, cost: Cost): string {
    const answer: Json = {}
    if (this.#endings.size > 0) answer['candidates'] = [...this.#endings.values()]
    if (usage !== undefined) answer['usageMetadata'] = toldUsage(this.#usage, usage, cost)
    return this.#framing.framed(JSON.stringify({ ...answer, ...this.#heading() })) + this.#framing.end()
  }

  failing(error: GatewayError, requestId: string): string {
    return this.#framing.framed(JSON.stringify(formatError(error, requestId))) + this.#framing.end()
  }

  #tell(parts: readonly StreamPart[], text: string): void {
    if (parts.length > 0 || text !== '') this.#listener.onEvent(parts, text)
  }

  #heading(): Json {
    return { modelVersion: this.#head.model, responseId: this.#id ?? this.#head.id }
  }

  /** What an answer says but for how it ends; `''` where that is nothing. */
  #passed({ candidates, usageMetadata, modelVersion: _model, responseId, ...rest }: Json): string {
    if (usageMetadata !== undefined && usageMetadata !== null) this.#usage = usageMetadata
    this.#id ??= responseId
    const told = withoutMoney(rest) as Json
    const open = Array.isArray(candidates) ? candidates.flatMap((one, at) => this.#open(one as Json, at)) : []
    if (open.length === 0 && Object.keys(told).length === 0) return ''
    const answer = { ...(open.length === 0 ? {} : { candidates: open }), ...told, ...this.#heading() }
    return this.#framing.framed(JSON.stringify(answer))
  }

  /** A candidate without its ending, which is kept; none where there is nothing else. */
  #open(candidate: Json | null, position: number): Json[] {
    if (typeof candidate !== 'object' || candidate === null) return []
    const { finishReason, finishMessage, ...rest } = candidate
    if (finishReason === undefined || finishReason === null) return [candidate]
    const index = typeof rest['index'] === 'number' ? rest['index'] : position
    const message = finishMessage === undefined ? {} : { finishMessage }
    const content = { parts: [{ text: '' }], role: 'model' }
    this.#endings.set(index, { content, finishReason, ...message, index })
    const { index: _index, content: said, ...beside } = rest
    const parts = (said as { parts?: unknown } | null | undefined)?.parts
    const isSilent = !Array.isArray(parts) || parts.length === 0
    return isSilent && Object.keys(beside).length === 0 ? [] : [rest]
  }
}

function isError({ type }: StreamPart): boolean {
  return type === 'error'
}
