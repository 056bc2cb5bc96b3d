import type { Exchange, ExchangeListener } from '@turnpike/gateway'
import { GatewayError, newIdentifier } from '@turnpike/protocol'
import type { Admission } from '../overload/admission.ts'

export interface InnerExchangeParts {
  path: string
  /** JSON. */
  body: string
  /** The hash of the key that makes the request. */
  keyHash: string
  /** The request was admitted, and leaves with `close`. */
  admission: Admission
  /** Receives the bytes of a streamed response. May throw to stop it. */
  onBytes: (bytes: Buffer) => void
}

/** The outcome. */
export type InnerResult =
  | { kind: 'whole'; status: number; body: string }
  /** The stream has ended as its format requires, or after an error in it. */
  | { kind: 'streamed' }
  | { kind: 'cut' }

/** A request of this process to the pipeline: the body in memory, the response read as it comes. */
export class InnerExchange implements Exchange {
  readonly requestId: string
  readonly method = 'POST'
  readonly path: string
  readonly query = ''
  readonly startedAtMs: number
  readonly startedAtMonotonicMs: number
  readonly keyHash: string
  readonly #parts: InnerExchangeParts
  readonly #body: Buffer
  #heldBytes = 0
  #valueBytes = 0
  #listener: ExchangeListener | undefined
  #clientClosed = false
  #failure: unknown
  /** Stays `cut` until the response has ended. */
  end: InnerResult = { kind: 'cut' }

  constructor(parts: InnerExchangeParts) {
    this.startedAtMs = Date.now()
    this.startedAtMonotonicMs = performance.now()
    this.requestId = newIdentifier('req', this.startedAtMs)
    this.path = parts.path
    this.keyHash = parts.keyHash
    this.#parts = parts
    this.#body = Buffer.from(parts.body)
  }

  get clientClosed(): boolean {
    return this.#clientClosed
  }

  /** What `onBytes` threw; undefined if it read everything. */
  get failure(): unknown {
    return this.#failure
  }

  header(name: string): string | undefined {
    if (name === 'content-type') return 'application/json'
    return name === 'content-length' ? String(this.#body.length) : undefined
  }

  async readBody(maxBytes: number): Promise<Buffer> {
    const { length } = this.#body
    if (length > maxBytes)
      throw new GatewayError('request_too_large', 'The request is larger than the gateway accepts.')
    this.keepFetched(length)
    return this.#body
  }

  keepValues(values: number): void {
    const { bodies } = this.#parts.admission
    const bytes = bodies.bytesOf(values)
    const refused = bodies.take(bytes)
    if (refused !== undefined) throw refused
    this.#valueBytes += bytes
  }

  keepFetched(bytes: number): void {
    const refused = this.#parts.admission.bodies.take(bytes)
    if (refused !== undefined) throw refused
    this.#heldBytes += bytes
  }

  releaseValues(): void {
    this.#parts.admission.bodies.giveBack(this.#valueBytes)
    this.#valueBytes = 0
  }

  releaseBody(bytes: number): void {
    const returned = Math.min(bytes, this.#heldBytes)
    this.#heldBytes -= returned
    this.#parts.admission.bodies.giveBack(returned)
  }

  listen(listener: ExchangeListener | undefined): void {
    this.#listener = listener
  }

  respond(status: number, _headers: Record<string, string>, body: string | Buffer): void {
    this.end = { kind: 'whole', status, body: String(body) }
  }

  startStream(): void {}

  write(latin1: string): boolean {
    this.#read(Buffer.from(latin1, 'latin1'))
    return true
  }

  lasts(): void {}

  endStream(bytes: Buffer | undefined): void {
    if (bytes !== undefined) this.#read(bytes)
    this.end = { kind: 'streamed' }
  }

  cut(): void {
    this.end = { kind: 'cut' }
  }

  /** Call it when the response is no longer wanted. */
  leave(): void {
    if (this.#clientClosed) return
    this.#clientClosed = true
    this.#listener?.onClientClosed()
  }

  /** Call it once the request is settled. */
  close(): void {
    this.releaseBody(this.#heldBytes)
    this.releaseValues()
    this.#parts.admission.leave()
  }

  #read(bytes: Buffer): void {
    if (this.#failure !== undefined) return
    try {
      this.#parts.onBytes(bytes)
    } catch (error) {
      this.#failure = error
    }
  }
}
