import {
  type BridgeHead,
  type BridgeListener,
  type Cost,
  type StreamBridge,
  type VendorFormat,
} from '@turnpike/dialects'
import { GatewayError, type StreamPart, type Usage, type UsagePart } from '@turnpike/protocol'
import type { Attempt } from '../../context/stages.ts'
import { upstreamError } from '../../upstream/failure.ts'
import { maxAnswerBytes } from '../../operations/answer-size.ts'
import { OutputText } from './output-text.ts'

/** How many characters of chunks without content are kept before the answer begins, or after its end. */
const maxSilence = 1024 * 1024
/**
 * Besides its text, each piece of an answer contains its position and perhaps log probabilities: at most this
 * many bytes per byte of text.
 */
const mostBytesBeside = 8 * 1024

/**
 * Interprets a vendor's stream event by event, and writes it in the caller's format. Events wait before the
 * first token, since another candidate may still answer; and from the finish reason on, since the last bytes
 * wait until the request is recorded.
 */
export class AnswerStream implements BridgeListener {
  readonly #bridge: StreamBridge
  readonly output = new OutputText()
  /** The first token has arrived. */
  hasBegun = false
  /** The first error in the stream. */
  failure: GatewayError | undefined
  #counted: UsagePart | undefined
  /** How much output had arrived when the vendor reported its usage, which does not cover what came later. */
  #countedUpTo = 0
  #finishes = false
  #tier: unknown
  /** All bytes of the vendor, including events without content. */
  #bytes = 0
  #waiting = ''
  #outgoing = ''

  constructor({ request }: Attempt, vendorFormat: VendorFormat, head: BridgeHead) {
    this.#bridge = request.operation.streams!.open({ format: request.format, vendorFormat }, head, this)
  }

  push(chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > maxAnswerBytes + this.output.mostTokens * mostBytesBeside)
      return this.fail(
        new GatewayError('upstream_error', 'The upstream sent an answer that is too large for the gateway.'),
      )
    try {
      this.#bridge.push(chunk)
    } catch (error) {
      this.fail(error as Error)
    }
  }

  fail(error: Error): void {
    this.failure ??= upstreamError(error)
  }

  /** The vendor sends no more: it closed the connection, or the connection broke. */
  end(isBroken: boolean): void {
    this.#bridge.end(isBroken)
  }

  onEvent(parts: readonly StreamPart[], text: string): void {
    // What follows an error in the same chunk is not part of the answer.
    if (this.failure !== undefined) return
    let content = false
    let finishes = false
    let counted: UsagePart | undefined
    for (const part of parts) {
      if (part.type === 'block-delta') {
        content = true
        this.output.delta(part)
      } else if (part.type === 'block-start') {
        content ||= part.kind === 'tool-call' || part.kind === 'raw'
        this.output.start(part)
      } else if (part.type === 'finish') finishes = true
      else if (part.type === 'usage') counted = part
      else if (part.type === 'error') this.failure ??= part.error
      else if (part.type === 'response-start') this.#tier = part.extensions['service_tier']
    }
    if (counted !== undefined) {
      this.#counted = counted
      this.#countedUpTo = this.output.mostTokens
    }
    if (finishes) this.#finishes = true
    if (content) this.hasBegun = true
    if (this.hasBegun && (content || !this.#finishes)) {
      this.#outgoing += this.#waiting + text
      this.#waiting = ''
    } else if (finishes || this.#waiting.length < maxSilence) this.#waiting += text
  }

  /** Takes the events that may go out now, in latin1; `''` for none. */
  takeOutgoing(): string {
    const events = this.#outgoing
    this.#outgoing = ''
    return events
  }

  /** The usage that the vendor reported last. */
  get usage(): Usage | undefined {
    return this.#counted?.usage
  }

  /** Whether the vendor has reported usage for the whole answer. */
  get isCounted(): boolean {
    return this.#counted !== undefined && this.#finishes && this.output.mostTokens <= this.#countedUpTo
  }

  /** Whether the vendor had finished, and its usage, if it reported any, covers the whole answer. */
  get isFinished(): boolean {
    return this.#finishes && (this.isCounted || this.#counted === undefined)
  }

  /** The service tier that the head of the answer names. */
  get tier(): string | undefined {
    return typeof this.#tier === 'string' ? this.#tier : undefined
  }

  /** The last events of a complete answer. */
  closing(usage: Usage | undefined, cost: Cost): string {
    return this.#waiting + this.#bridge.closing(usage, cost)
  }

  /** The last event of an answer that broke off. */
  failing(error: GatewayError, requestId: string): string {
    return this.#bridge.failing(error, requestId)
  }
}
