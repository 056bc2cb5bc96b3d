import { GatewayError } from '@turnpike/protocol'
import type { UpstreamCall, UpstreamHeaders, UpstreamReceiver } from '../../upstream/client.ts'
import { maxAnswerBytes } from '../../operations/answer-size.ts'

/** Turns the whole answer of a model that does not stream into the stream that the caller requested. */
export class WholeAsStream implements UpstreamReceiver {
  readonly #stream: UpstreamReceiver
  readonly #whole: { asStream(body: Buffer): Buffer }
  #call: UpstreamCall | undefined
  #isAnswer = false
  readonly #chunks: Buffer[] = []
  #bytes = 0

  /**
   * @param stream receives the bytes that a streaming vendor would have sent
   * @param whole converts a whole answer into those bytes
   */
  constructor(stream: UpstreamReceiver, whole: { asStream(body: Buffer): Buffer }) {
    this.#stream = stream
    this.#whole = whole
  }

  onCall(call: UpstreamCall): void {
    this.#call = call
    this.#stream.onCall(call)
  }

  onHead(status: number, headers: UpstreamHeaders): void {
    this.#isAnswer = status >= 200 && status <= 299
    const shownHeaders = this.#isAnswer ? { ...headers, 'content-type': 'text/event-stream' } : headers
    this.#stream.onHead(status, shownHeaders)
  }

  onData(chunk: Buffer): void {
    if (!this.#isAnswer) return this.#stream.onData(chunk)
    this.#bytes += chunk.length
    if (this.#bytes <= maxAnswerBytes) this.#chunks.push(chunk)
    else
      this.#call?.abort(
        new GatewayError('upstream_error', 'The upstream sent an answer that is too large for the gateway.'),
      )
  }

  onEnd(): void {
    if (this.#isAnswer) this.#stream.onData(this.#whole.asStream(Buffer.concat(this.#chunks, this.#bytes)))
    this.#stream.onEnd()
  }

  onError(error: Error): void {
    this.#stream.onError(error)
  }
}
