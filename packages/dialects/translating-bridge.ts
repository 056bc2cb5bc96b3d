import type { GatewayError, StreamPart, Usage } from '@turnpike/protocol'
import type { BridgeHead, BridgeListener, Cost, StreamBridge } from './bridge.ts'
import type { StreamDecoder, VendorDialect } from './dialect.ts'
import { ChatEncoder } from './openai-chat/encoder.ts'
import { ChatStreamBridge } from './openai-chat/stream-bridge.ts'
import { asBytes, SseParser, utf8, type SseListener } from './sse/parser.ts'

/**
 * The way of a vendor's stream to a caller who speaks OpenAI's format: untouched where the vendor does too.
 */
export function openBridge(dialect: VendorDialect, head: BridgeHead, listener: BridgeListener): StreamBridge {
  if (dialect.name === 'openai-chat') return new ChatStreamBridge(head, listener)
  return new TranslatingBridge(dialect, head, listener)
}

/** A streamed answer from any vendor's format to OpenAI's: every event is understood and said again. */
export class TranslatingBridge implements StreamBridge, SseListener {
  readonly #parser = new SseParser(this)
  readonly #decoder: StreamDecoder
  readonly #encoder: ChatEncoder
  readonly #listener: BridgeListener
  readonly #includeUsage: boolean

  constructor(dialect: VendorDialect, head: BridgeHead, listener: BridgeListener) {
    this.#decoder = dialect.decoder()
    this.#encoder = new ChatEncoder(head)
    this.#listener = listener
    this.#includeUsage = head.includeUsage
  }

  push(chunk: Buffer): void {
    this.#parser.pushBytes(chunk)
  }

  end(broken = false): void {
    this.#parser.end()
    this.#tell(this.#decoder.end(broken))
  }

  onEvent(data: string, event: string): void {
    const text = this.#parser.plain ? data : utf8(data)
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      // An end marker, or an event that was cut: the decoder says what that means.
      return this.#tell(this.#decoder.pushText(text))
    }
    this.#tell(this.#decoder.push(body, event))
  }

  closing(usage: Usage | undefined, cost: Cost): string {
    const counted = this.#includeUsage && usage !== undefined
    return `${counted ? this.#event(this.#encoder.usage(usage, cost)) : ''}data: [DONE]\n\n`
  }

  failing(error: GatewayError, requestId: string): string {
    return this.#event(this.#encoder.failure(error, requestId))
  }

  /** One event may hold text and the finish: what is said from the finish on waits for the settlement. */
  #tell(parts: readonly StreamPart[]): void {
    const finish = parts.findIndex((part) => part.type === 'finish')
    if (finish > 0) {
      this.#say(parts.slice(0, finish))
      this.#say(parts.slice(finish))
    } else if (parts.length > 0) this.#say(parts)
  }

  #say(parts: readonly StreamPart[]): void {
    let text = ''
    for (const part of parts) {
      const chunk = this.#encoder.write(part)
      if (chunk !== '') text += `data: ${chunk}\n\n`
    }
    this.#listener.onEvent(parts, text)
  }

  #event(chunk: object): string {
    return `data: ${asBytes(JSON.stringify(chunk))}\n\n`
  }
}
