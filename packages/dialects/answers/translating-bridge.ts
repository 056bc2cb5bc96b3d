import type { GatewayError, StreamPart, Usage } from '@turnpike/protocol'
import type { BridgeHead, BridgeListener, Cost, StreamBridge } from '../bridge.ts'
import { passThroughOf, type GenerateCaller, type StreamEncoder } from '../caller.ts'
import type { EventParser } from '../sse/event-parser.ts'
import { SseParser, utf8, type SseListener } from '../sse/parser.ts'
import type { GenerateFormat, StreamDecoder } from '../vendor.ts'
import { parseJson } from '../json/parse-json.ts'
import { createPartFilter, type PartFilter } from './part-filter.ts'

/** The bridge from a vendor's stream to a caller: bytes pass if both speak one format. */
export function openBridge(
  format: GenerateCaller,
  vendorFormat: GenerateFormat,
  head: BridgeHead,
  listener: BridgeListener,
): StreamBridge {
  const passing = passThroughOf(format, vendorFormat)
  if (passing !== undefined)
    return passing.openStream(head, listener, vendorFormat.operations.generate.events)
  return new TranslatingBridge(vendorFormat, format.streams.encoder(head), listener, createPartFilter(head))
}

/** Translates a vendor's stream to the caller's format: every event is decoded and encoded again. */
export class TranslatingBridge implements StreamBridge, SseListener {
  readonly #parser: EventParser
  readonly #decoder: StreamDecoder
  readonly #encoder: StreamEncoder
  readonly #listener: BridgeListener
  readonly #filter: PartFilter | undefined

  /** @param filter selects the parts that the caller gets. Absent: all of them */
  constructor(
    vendorFormat: Pick<GenerateFormat, 'operations'>,
    encoder: StreamEncoder,
    listener: BridgeListener,
    filter?: PartFilter,
  ) {
    this.#filter = filter
    const { generate } = vendorFormat.operations
    this.#parser = generate.events?.(this) ?? new SseParser(this)
    this.#decoder = generate.decoder()
    this.#encoder = encoder
    this.#listener = listener
  }

  push(chunk: Buffer): void {
    this.#parser.pushBytes(chunk)
  }

  end(broken = false): void {
    if (this.#parser.end().truncated) this.#decoder.markCut?.()
    this.#emit(this.#decoder.end(broken))
  }

  onEvent(data: string, event: string): void {
    const read = this.#decoder.readFast?.(data, event, this.#parser.plain)
    if (read !== undefined) return this.#write(read)
    const text = this.#parser.plain ? data : utf8(data)
    const body = parseJson(text)
    // An end marker, or an event that was cut: the decoder decides.
    if (body === undefined) return this.#emit(this.#decoder.pushText(text))
    const parts = this.#decoder.push(body, event)
    this.#decoder.learn?.({ data, event, body }, parts)
    this.#emit(parts)
  }

  closing(usage: Usage | undefined, cost: Cost): string {
    return this.#encoder.closing(usage, cost)
  }

  failing(error: GatewayError, requestId: string): string {
    return this.#encoder.failing(error, requestId)
  }

  /** An event may hold text and the finish. What follows the finish waits for the settlement. */
  #emit(parts: readonly StreamPart[]): void {
    const finish = parts.findIndex((part) => part.type === 'finish')
    if (finish > 0) {
      this.#write(parts.slice(0, finish))
      this.#write(parts.slice(finish))
    } else if (parts.length > 0) this.#write(parts)
  }

  #write(parts: readonly StreamPart[]): void {
    let text = ''
    for (const part of parts) {
      if (this.#filter === undefined) text += this.#encoder.write(part)
      else for (const visible of this.#filter.filter(part)) text += this.#encoder.write(visible)
    }
    this.#listener.onEvent(parts, text)
  }
}
