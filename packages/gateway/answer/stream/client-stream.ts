import type { Gateway } from '../../context/gateway.ts'
import type { Attempt } from '../../context/stages.ts'
import type { Ticking } from '../../services/ticker.ts'
import { addCallerLimits, servedByHeaders } from '../headers.ts'

/**
 * After a silence of this length a keep-alive goes out, so that nothing between us and the client times out.
 */
const keepAliveAfterMs = 10_000
/** A shorter answer is not worth releasing what its connection keeps for further requests. */
const lastingAfterMs = 2_000

/** Pauses the upstream. */
export interface ClientStreamListener {
  /** The client reads slower than we write. */
  onFull(): void
}

/** The client's side of a streamed answer: its head, its events, and keep-alives during silence. */
export class ClientStream implements Ticking {
  place = -1
  readonly #attempt: Attempt
  readonly #gateway: Gateway
  readonly #listener: ClientStreamListener
  #sentAtMs: number
  /** The client has not yet read what was written; the exchange will call `onDrain`. */
  isFull = false
  /** The upstream has responded with a stream, even if no event has arrived yet. */
  isAnswered = false

  constructor(attempt: Attempt, gateway: Gateway, listener: ClientStreamListener) {
    this.#attempt = attempt
    this.#gateway = gateway
    this.#listener = listener
    this.#sentAtMs = performance.now()
    gateway.ticker.add(this)
  }

  /**
   * Sends the stream's head.
   * @param certain false before the first token, while another upstream may still answer: the head then names
   * none
   */
  open(certain: boolean): void {
    const { request } = this.#attempt
    if (request.headSent) return
    request.headSent = true
    const { exchange, format } = request
    const headers = certain ? servedByHeaders(this.#attempt) : {}
    headers['content-type'] = format.streams!.type
    headers['cache-control'] = 'no-cache'
    headers['x-accel-buffering'] = 'no'
    Object.assign(headers, format.answerHeaders(exchange.requestId))
    addCallerLimits(headers, request, this.#gateway)
    exchange.startStream(200, headers)
  }

  write(latin1: string): void {
    this.#sentAtMs = performance.now()
    if (this.#attempt.request.exchange.write(latin1) || this.isFull) return
    this.isFull = true
    this.#listener.onFull()
  }

  /** Sends a keep-alive if due. It is a comment, so another upstream may still answer after a failure. */
  tick(nowMs: number): void {
    const { request, calledAtMs, othersFollow } = this.#attempt
    if (!this.isAnswered && !request.headSent) return
    if (request.headSent && nowMs - calledAtMs >= lastingAfterMs) request.exchange.lasts()
    if (this.isFull || nowMs - this.#sentAtMs < keepAliveAfterMs) return
    this.open(!othersFollow)
    this.write(request.format.streams!.keepAlive)
  }

  /** Stops the keep-alives: the answer ends, or the client has left. */
  rest(): void {
    this.#gateway.ticker.remove(this)
  }
}
