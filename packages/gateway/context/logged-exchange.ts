import type { Capture } from '../prompt-log/capture.ts'
import type { Exchange, ExchangeListener } from './exchange.ts'

/** Passes an exchange on and captures its traffic. Requests that are not logged use the exchange itself. */
export class LoggedExchange implements Exchange {
  readonly #exchange: Exchange
  readonly #capture: Capture
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly startedAtMs: number
  readonly startedAtMonotonicMs: number

  constructor(exchange: Exchange, capture: Capture) {
    this.#exchange = exchange
    this.#capture = capture
    this.requestId = exchange.requestId
    this.method = exchange.method
    this.path = exchange.path
    this.query = exchange.query
    this.startedAtMs = exchange.startedAtMs
    this.startedAtMonotonicMs = exchange.startedAtMonotonicMs
  }

  get clientClosed(): boolean {
    return this.#exchange.clientClosed
  }

  header(name: string): string | undefined {
    return this.#exchange.header(name)
  }

  async readBody(maxBytes: number): Promise<Buffer> {
    const body = await this.#exchange.readBody(maxBytes)
    this.#capture.takeBody(body)
    return body
  }

  keepValues(values: number): void {
    this.#exchange.keepValues(values)
  }

  keepFetched(bytes: number): void {
    this.#exchange.keepFetched(bytes)
  }

  releaseValues(): void {
    this.#exchange.releaseValues()
  }

  releaseBody(bytes: number): void {
    this.#exchange.releaseBody(bytes)
  }

  listen(listener: ExchangeListener | undefined): void {
    this.#exchange.listen(listener)
  }

  respond(status: number, headers: Record<string, string>, body: string | Buffer): void {
    this.#exchange.respond(status, headers, body)
    this.#capture.takeAnswer(status, body)
  }

  startStream(status: number, headers: Record<string, string>): void {
    this.#exchange.startStream(status, headers)
    this.#capture.startStream(status)
  }

  write(latin1: string): boolean {
    this.#capture.takeEvents(latin1)
    return this.#exchange.write(latin1)
  }

  lasts(): void {
    this.#exchange.lasts()
  }

  endStream(bytes: Buffer | undefined): void {
    this.#exchange.endStream(bytes)
    if (bytes !== undefined) this.#capture.takeEvents(bytes.toString('latin1'))
  }

  cut(): void {
    this.#exchange.cut()
  }
}
