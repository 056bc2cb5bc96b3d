import type { BridgeHead, VendorFormat, WholeAnswer } from '@turnpike/dialects'
import { GatewayError } from '@turnpike/protocol'
import { clientClosed, outcomeOfLeaving } from '../context/client-closed.ts'
import { endWithError, noOutput, type Ending } from '../context/ending.ts'
import type { ExchangeListener } from '../context/exchange.ts'
import type { Attempt } from '../context/stages.ts'
import type { Batch, Part } from '../operations/rules.ts'
import {
  UpstreamFailure,
  type UpstreamCall,
  type UpstreamClient,
  type UpstreamHeaders,
  type UpstreamReceiver,
  type UpstreamRequest,
} from '../upstream/client.ts'
import { withoutCredential } from '../upstream/credentials/without-credential.ts'
import { upstreamError } from '../upstream/failure.ts'
import { maxPartsBytes } from '../operations/answer-size.ts'
import { parseFailureHead, type Answer, type FailureHead } from './answer.ts'
import { servedByHeaders } from './headers.ts'
import { refusalOf, redactError } from './redact-error.ts'

/** How many parts of one request are at its vendor at the same time. */
const mostAtOnce = 4

/** A request in parts, on its way to one candidate. */
export interface PartsCall {
  client: UpstreamClient
  parts: readonly Part[]
  /**
   * Builds and signs the call for one part. Called when the part's turn comes, since all calls together are
   * as large as the request. Undefined if the credential is gone.
   */
  outbound(part: Part): UpstreamRequest | undefined | Promise<UpstreamRequest | undefined>
}

/**
 * Collects the answers to all parts of a request and merges them into one answer. Several parts run at once,
 * each within the time that is left for the whole request. The first failure ends the others; parts answered
 * by then are kept for the next candidate.
 */
export class PartsReceiver implements ExchangeListener, Answer {
  readonly attempt: Attempt
  readonly #batch: Batch
  readonly #vendorFormat: VendorFormat
  readonly #head: BridgeHead
  readonly #begun = Promise.withResolvers<Answer>()
  #call: PartsCall | undefined
  /** Parts still to be sent, the next one last. */
  #waiting: Part[] = []
  readonly #open = new Set<PartReceiver>()
  /** On the monotonic clock. */
  #deadlineMs = 0
  #bytes = 0
  #ending: Ending | undefined
  #isOver = false
  status: number | null = null

  constructor(attempt: Attempt, batch: Batch, vendorFormat: VendorFormat, head: BridgeHead) {
    this.attempt = attempt
    this.#batch = batch
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

  /** @param totalMs for all parts together */
  start(call: PartsCall, totalMs: number): void {
    this.#call = call
    this.#waiting = call.parts.toReversed()
    this.#deadlineMs = performance.now() + totalMs
    this.#askMore()
  }

  #askMore(): void {
    try {
      while (!this.#isOver && this.#open.size < mostAtOnce) {
        const part = this.#waiting.pop()
        if (part === undefined) break
        this.#ask(part, this.#call!)
      }
      if (!this.#isOver && this.#open.size === 0) this.#finish()
    } catch (error) {
      this.#fail(error)
    }
  }

  #ask(part: Part, call: PartsCall): void {
    const leftMs = Math.ceil(this.#deadlineMs - performance.now())
    if (leftMs <= 0) throw upstreamError(new UpstreamFailure('total-timeout', 'no end of all parts in time'))
    const receiver = new PartReceiver(part, {
      onPart: (body, headers) => this.#take(receiver, body, headers),
      onRefused: (status, head, body) => this.#failWithRefusal(status, head, body),
      onBytes: (bytes) => this.#grow(bytes),
      onError: (error) => this.#fail(upstreamError(error)),
    })
    this.#open.add(receiver)
    const outbound = call.outbound(part)
    if (!(outbound instanceof Promise)) return this.#send(outbound, receiver, leftMs)
    outbound.then((signed) => this.#send(signed, receiver, leftMs)).catch((error) => this.#fail(error))
  }

  #send(outbound: UpstreamRequest | undefined, receiver: PartReceiver, leftMs: number): void {
    if (this.#isOver) return
    if (outbound === undefined) throw withoutCredential(this.attempt.candidate.credential)
    receiver.isSent = true
    const { timeouts } = outbound
    const totalMs = Math.min(timeouts.totalMs, leftMs)
    this.#call!.client.send({ ...outbound, timeouts: { ...timeouts, totalMs } }, receiver)
  }

  #take(receiver: PartReceiver, body: Buffer, headers: UpstreamHeaders): void {
    if (this.#isOver) return
    this.#open.delete(receiver)
    this.status = 200
    try {
      this.#batch.take(receiver.part, this.#vendorFormat, body, headers)
    } catch (error) {
      return this.#fail(error)
    }
    this.#askMore()
  }

  #failWithRefusal(status: number, head: FailureHead, body: string): void {
    if (this.#isOver) return
    this.status = status
    this.#fail(refusalOf(this.attempt, this.#vendorFormat, { ...head, status, body }))
  }

  #grow(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes <= maxPartsBytes) return
    const message = `The answer is longer than ${maxPartsBytes} bytes. Send fewer inputs in one request.`
    this.#fail(new GatewayError('upstream_error', message))
  }

  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#abortAll(error instanceof Error ? error : new Error(String(error)))
    this.#begun.reject(error instanceof GatewayError ? redactError(error, this.attempt.candidate) : error)
  }

  #finish(): void {
    const { request } = this.attempt
    const answer = this.#whole()
    this.#isOver = true
    request.record.firstTokenMs = performance.now() - request.exchange.startedAtMonotonicMs
    request.input = this.#batch.inputSeen([])
    this.#ending = {
      outcome: 'completed',
      status: 200,
      error: undefined,
      usage: answer.usage,
      finished: true,
      output: noOutput,
      tail: { kind: 'answer', headers: servedByHeaders(this.attempt), body: answer.body },
    }
    this.#begun.resolve(this)
  }

  /** If the parts cannot be merged, the next candidate is sent all of them again. */
  #whole(): WholeAnswer {
    const { request } = this.attempt
    try {
      return this.#batch.whole(request.format, this.#head)
    } catch (error) {
      request.batch = undefined
      throw error
    }
  }

  /** Parts that were answered or sent are charged; parts that were never sent are not. */
  onClientClosed(): void {
    if (this.#isOver) return
    this.#isOver = true
    const sent = [...this.#open].filter(({ isSent }) => isSent)
    const call = sent.find((one) => one.call !== undefined)?.call
    this.attempt.request.input = this.#batch.inputSeen(sent.map(({ part }) => part))
    const error = clientClosed()
    const outcome = this.status === null ? outcomeOfLeaving(call) : 'client_closed'
    this.#ending = { ...endWithError(error), outcome, tail: { kind: 'none' } }
    this.#abortAll(error)
    this.#begun.resolve(this)
  }

  onDrain(): void {
    // Nothing is written before the whole answer is complete.
  }

  #abortAll(reason: Error): void {
    this.#waiting = []
    for (const one of this.#open) one.abort(reason)
    this.#open.clear()
  }
}

interface PartListener {
  onPart(body: Buffer, headers: UpstreamHeaders): void
  onRefused(status: number, head: FailureHead, body: string): void
  onBytes(bytes: number): void
  onError(error: Error): void
}

/** Receives the answer to one part. */
class PartReceiver implements UpstreamReceiver {
  readonly part: Part
  readonly #listener: PartListener
  readonly #chunks: Buffer[] = []
  #status = 0
  #headers: UpstreamHeaders = {}
  #aborted: Error | undefined
  call: UpstreamCall | undefined
  /** False while the part is being signed. */
  isSent = false

  constructor(part: Part, listener: PartListener) {
    this.part = part
    this.#listener = listener
  }

  abort(reason: Error): void {
    this.#aborted = reason
    this.call?.abort(reason)
  }

  onCall(call: UpstreamCall): void {
    this.call = call
    if (this.#aborted !== undefined) call.abort(this.#aborted)
  }

  onHead(status: number, headers: UpstreamHeaders): void {
    this.#status = status
    this.#headers = headers
  }

  onData(chunk: Buffer): void {
    if (this.#aborted !== undefined) return
    this.#chunks.push(chunk)
    this.#listener.onBytes(chunk.length)
  }

  onEnd(): void {
    if (this.#aborted !== undefined) return
    const body = Buffer.concat(this.#chunks)
    if (this.#status >= 200 && this.#status <= 299) this.#listener.onPart(body, this.#headers)
    else this.#listener.onRefused(this.#status, parseFailureHead(this.#headers), body.toString('utf8'))
  }

  onError(error: Error): void {
    if (this.#aborted === undefined) this.#listener.onError(error)
  }
}
