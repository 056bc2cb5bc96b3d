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

/** Of chunks that say nothing, while no answer has begun or behind its end, so many characters wait. */
const maxSilence = 1024 * 1024
/**
 * Beside its text, a piece of an answer says where it belongs, and how likely it and others were: so many
 * bytes for each of the text, at most.
 */
const mostBytesBeside = 8 * 1024

/**
 * What the vendor says in a stream, event by event: understood for the gateway, and written in the caller's
 * format. Events wait before the first token, since the answer may still be another one's; and from the
 * finish on, since the last bytes wait until the request is recorded.
 */
export class AnswerStream implements BridgeListener {
  readonly #bridge: StreamBridge
  readonly output = new OutputText()
  /** The first token has come. */
  hasBegun = false
  /** What went wrong in it. */
  failure: GatewayError | undefined
  #counted: UsagePart | undefined
  /** How much had been said when the vendor told its usage: that is not of what came later. */
  #countedUpTo = 0
  #finishes = false
  #tier: unknown
  /** Of the vendor's, events that say nothing among them. */
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

  /** The vendor says no more: it closed, or its connection broke. */
  end(isBroken: boolean): void {
    this.#bridge.end(isBroken)
  }

  onEvent(parts: readonly StreamPart[], text: string): void {
    // What stands behind an error in the same bytes is no answer any more.
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

  /** The events that may go out now, in latin1; `''` for none. */
  takeOutgoing(): string {
    const events = this.#outgoing
    this.#outgoing = ''
    return events
  }

  /** The vendor's numbers, as it told them last. */
  get usage(): Usage | undefined {
    return this.#counted?.usage
  }

  /** The vendor has told its usage of the whole answer. */
  get isCounted(): boolean {
    return this.#counted !== undefined && this.#finishes && this.output.mostTokens <= this.#countedUpTo
  }

  /** The vendor had finished, and its numbers, if it told any, are of the whole answer. */
  get isFinished(): boolean {
    return this.#finishes && (this.isCounted || this.#counted === undefined)
  }

  /** The service tier that its head names. */
  get tier(): string | undefined {
    return typeof this.#tier === 'string' ? this.#tier : undefined
  }

  /** The last events of an answer that is complete. */
  closing(usage: Usage | undefined, cost: Cost): string {
    return this.#waiting + this.#bridge.closing(usage, cost)
  }

  /** The last event of an answer that broke off. */
  failing(error: GatewayError, requestId: string): string {
    return this.#bridge.failing(error, requestId)
  }
}
