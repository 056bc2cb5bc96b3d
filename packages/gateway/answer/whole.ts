import type { BridgeHead, VendorFormat } from '@turnpike/dialects'
import { GatewayError, type Usage } from '@turnpike/protocol'
import { clientClosed, outcomeOfLeaving } from '../context/client-closed.ts'
import { endWithError, type Ending } from '../context/ending.ts'
import type { ExchangeListener } from '../context/exchange.ts'
import type { Gateway } from '../context/gateway.ts'
import type { Attempt, Held } from '../context/stages.ts'
import type { BackgroundRead } from '../services/background-reads.ts'
import type { UpstreamCall, UpstreamHeaders, UpstreamReceiver } from '../upstream/client.ts'
import { upstreamError } from '../upstream/failure.ts'
import { maxAnswerBytes } from '../operations/answer-size.ts'
import { parseFailureHead, startBackgroundRead, type Answer } from './answer.ts'
import { servedByHeaders } from './headers.ts'
import { refusalOf, redactError } from './redact-error.ts'

/** Receives a plain answer: collects it, interprets it, and writes it in the caller's format. */
export class WholeAnswerReceiver implements UpstreamReceiver, ExchangeListener, Answer {
  readonly attempt: Attempt
  readonly #request: Held
  readonly #gateway: Gateway
  readonly #vendorFormat: VendorFormat
  readonly #head: BridgeHead
  readonly #begun = Promise.withResolvers<Answer>()
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #call: UpstreamCall | undefined
  #headers: UpstreamHeaders = {}
  #ending: Ending | undefined
  /** Set once the client has left and the answer is read on for its usage. */
  #backgroundRead: BackgroundRead | undefined
  /** The upstream failed, and another one may be tried: whatever else it sends is ignored. */
  #isRefused = false
  status: number | null = null

  constructor(attempt: Attempt, vendorFormat: VendorFormat, head: BridgeHead, gateway: Gateway) {
    this.attempt = attempt
    this.#request = attempt.request
    this.#gateway = gateway
    this.#vendorFormat = vendorFormat
    this.#head = head
  }

  get begun(): Promise<Answer> {
    return this.#begun.promise
  }

  relay(): Ending {
    if (this.#ending === undefined) throw new Error('relay before the answer had begun')
    return this.#ending
  }

  onCall(call: UpstreamCall): void {
    this.#call = call
    if (this.#ending !== undefined) call.abort(clientClosed())
  }

  onHead(status: number, headers: UpstreamHeaders): void {
    this.status = status
    this.#headers = headers
  }

  onData(chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes <= maxAnswerBytes) this.#chunks.push(chunk)
    else
      this.#call?.abort(
        new GatewayError('upstream_error', 'The upstream sent an answer that is too large for the gateway.'),
      )
  }

  onEnd(): void {
    if (this.#isOver) return
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#bytes)
    try {
      this.#readAnswer(bytes)
    } catch (error) {
      this.#refuse(error instanceof GatewayError ? redactError(error, this.attempt.candidate) : error)
    }
  }

  onError(error: Error): void {
    if (!this.#isOver) this.#refuse(upstreamError(error))
  }

  get #isOver(): boolean {
    return this.#ending !== undefined || this.#isRefused
  }

  #refuse(error: unknown): void {
    this.#isRefused = true
    const { status } = this
    // What the vendor rejected after the client had left cost nothing.
    const isRefused = status !== null && (status < 200 || status > 299)
    if (this.#backgroundRead === undefined) this.#begun.reject(error)
    else this.#leave(undefined, isRefused ? 'failed' : undefined)
  }

  onClientClosed(): void {
    if (this.#isOver || this.#backgroundRead !== undefined) return
    if (this.#call !== undefined)
      this.#backgroundRead = startBackgroundRead(this.attempt, false, this.#gateway, () =>
        this.#leave(undefined),
      )
    if (this.#backgroundRead === undefined) this.#leave(undefined)
  }

  /** @param usage set if the answer was read on for its usage, and the vendor reported it */
  #leave(usage: Usage | undefined, outcome = outcomeOfLeaving(this.#call)): void {
    this.#backgroundRead?.finish()
    const error = clientClosed()
    this.#ending = {
      ...endWithError(error),
      outcome,
      usage,
      finished: usage !== undefined,
      tail: { kind: 'none' },
    }
    this.#call?.abort(error)
    this.#begun.resolve(this)
  }

  onDrain(): void {
    // Nothing is written before the whole answer is complete.
  }

  #readAnswer(bytes: Buffer): void {
    const status = this.status ?? 0
    if (status < 200 || status > 299) {
      const body = bytes.toString('utf8')
      throw refusalOf(this.attempt, this.#vendorFormat, { ...parseFailureHead(this.#headers), status, body })
    }
    const { format, operation, call } = this.#request
    const formats = { format, vendorFormat: this.#vendorFormat }
    const answer = operation.readWhole(formats, bytes, this.#head, call.request, this.#headers)
    if (this.#backgroundRead !== undefined) return this.#leave(answer.usage)
    this.#request.record.firstTokenMs = performance.now() - this.#request.exchange.startedAtMonotonicMs
    this.#ending = {
      outcome: 'completed',
      status: 200,
      error: undefined,
      usage: answer.usage,
      finished: true,
      output: {
        text: answer.outputText,
        sample: '',
        bytes: Buffer.byteLength(answer.outputText),
        textlessTokens: answer.textlessTokens,
        reasoningSeen: answer.reasoningSeen,
      },
      tail: { kind: 'answer', headers: servedByHeaders(this.attempt), body: answer.body },
    }
    this.#begun.resolve(this)
  }
}
