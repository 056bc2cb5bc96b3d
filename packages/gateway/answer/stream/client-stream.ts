import type { Gateway } from '../../context/gateway.ts'
import type { Attempt } from '../../context/stages.ts'
import type { Ticking } from '../../services/ticker.ts'
import { callerLimits, servedByHeaders } from '../headers.ts'

/** A sign of life goes out after so long a silence, so that nothing between us and the client gives up. */
const keepAliveAfterMs = 10_000
/** What an answer of less time holds of its connection is not worth the letting go. */
const lastingAfterMs = 2_000

/** Who is to stop reading from the upstream. */
export interface ClientStreamListener {
  /** The client reads slower than it is written to. */
  onFull(): void
}

/** The client's end of a streamed answer: its head, its events, signs of life where nothing else comes. */
export class ClientStream implements Ticking {
  readonly #attempt: Attempt
  readonly #gateway: Gateway
  readonly #listener: ClientStreamListener
  #sentAtMs: number
  /** The client has not yet read what was written: `onDrain` of the exchange follows. */
  isFull = false
  /** The upstream answers with a stream, if only with silence so far. */
  isAnswered = false

  constructor(attempt: Attempt, gateway: Gateway, listener: ClientStreamListener) {
    this.#attempt = attempt
    this.#gateway = gateway
    this.#listener = listener
    this.#sentAtMs = performance.now()
    gateway.ticker.add(this)
  }

  /** @param certain before the first token another upstream may still have to serve: then nobody is named */
  open(certain: boolean): void {
    const { request } = this.#attempt
    if (request.headSent) return
    request.headSent = true
    request.exchange.startStream(200, {
      'content-type': request.format.streams!.type,
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      ...request.format.answerHeaders(request.exchange.requestId),
      ...callerLimits(request, this.#gateway),
      ...(certain ? servedByHeaders(this.#attempt) : undefined),
    })
  }

  write(latin1: string): void {
    this.#sentAtMs = performance.now()
    if (this.#attempt.request.exchange.write(latin1) || this.isFull) return
    this.isFull = true
    this.#listener.onFull()
  }

  /** A comment is no answer: whatever goes wrong behind it, another upstream may still be asked. */
  tick(nowMs: number): void {
    const { request, calledAtMs, othersFollow } = this.#attempt
    if (!this.isAnswered && !request.headSent) return
    if (request.headSent && nowMs - calledAtMs >= lastingAfterMs) request.exchange.lasts()
    if (this.isFull || nowMs - this.#sentAtMs < keepAliveAfterMs) return
    this.open(!othersFollow)
    this.write(request.format.streams!.keepAlive)
  }

  /** No sign of life is wanted any more: the answer ends, or the client has left. */
  rest(): void {
    this.#gateway.ticker.remove(this)
  }
}
