import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Exchange, ExchangeListener } from '@turnpike/gateway'
import { newIdentifier } from '@turnpike/protocol'
import { readBody } from './body-reader.ts'
import { ChunkWriter } from './chunk-writer.ts'
import { expectsContinue } from './expect-continue.ts'
import type { AnswerOwner, LongAnswer } from './long-answer.ts'
import type { LongAnswers } from './long-answers.ts'
import type { Admission } from './overload/admission.ts'

/** The limits of an exchange. */
export interface ExchangeBounds {
  /** The time allowed for the body besides that for its size. */
  bodyMs: number
  /** The request was admitted here, and leaves when its response closes. */
  admission: Admission
  /** Takes over responses that go on for a while. */
  longAnswers: LongAnswers
}

/** Another path and key under which a request is served, if it arrived in another way. */
export interface ServedAs {
  path: string
  keyHash: string
}

/** A client that has not accepted the last bytes this long after they were written is cut off. */
const lastBytesTimeoutMs = 60_000
const noRawHeaders: string[] = []

/** A `node:http` request and its response, as the pipeline sees them. */
export class NodeExchange implements Exchange, AnswerOwner {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly keyHash?: string
  readonly #url: string
  readonly startedAtMs: number
  readonly startedAtMonotonicMs: number
  readonly #bounds: ExchangeBounds
  readonly #headers: IncomingHttpHeaders
  /** Kept only while Node owns the connection, until the response goes on for a while. */
  #request: IncomingMessage | undefined
  #response: ServerResponse | undefined
  /** The response, or what replaced it. */
  #answer: ServerResponse | LongAnswer
  #chunks: ChunkWriter | LongAnswer | undefined
  /** Something was sent, and the head with it: Node holds the head back until then. */
  #hasWritten = false
  #listener: ExchangeListener | undefined
  #clientClosed = false
  /** Counted against the budget of all bodies. */
  #bodyBytes = 0
  #valueBytes = 0
  /** Bytes read from the connection when the body was complete. */
  #bytesRead = 0
  #lastBytesTimer: NodeJS.Timeout | undefined

  /** @param servedAs absent: under its own path, with the key that it contains */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    bounds: ExchangeBounds,
    servedAs?: ServedAs,
  ) {
    this.#bounds = bounds
    this.startedAtMs = Date.now()
    this.startedAtMonotonicMs = performance.now()
    this.requestId = newIdentifier('req', this.startedAtMs)
    this.method = request.method ?? 'GET'
    this.#url = servedAs?.path ?? request.url ?? '/'
    this.path = pathOf(this.#url)
    if (servedAs !== undefined) this.keyHash = servedAs.keyHash
    this.#request = request
    this.#headers = request.headers
    // A second copy of the headers with the original names; a stream would keep it in memory to its end.
    request.rawHeaders = noRawHeaders
    this.#response = response
    this.#answer = response
    response.on('close', () => this.onAnswerClosed())
    // A write to a connection that has just closed reports the error here, before `close`.
    response.on('error', () => this.#handleClosed())
  }

  get query(): string {
    return this.#url.slice(this.path.length + 1)
  }

  get clientClosed(): boolean {
    return this.#clientClosed
  }

  header(name: string): string | undefined {
    const value = this.#headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  readBody(maxBytes: number): Buffer | Promise<Buffer> {
    const { bodyMs, admission } = this.#bounds
    const { bodies } = admission
    const request = this.#request!
    if (expectsContinue(request)) this.#response!.writeContinue()
    return readBody(request, {
      maxBytes,
      bodyMs,
      refusalOf: (bytes) => bodies.refusalOf(bytes),
      take: (bytes) => {
        const refused = bodies.take(bytes)
        if (refused === undefined) this.#bodyBytes += bytes
        this.#bytesRead = request.socket.bytesRead
        return refused
      },
    })
  }

  keepValues(values: number): void {
    if (this.#clientClosed) return
    const { bodies } = this.#bounds.admission
    const bytes = bodies.bytesOf(values)
    const refused = bodies.take(bytes)
    if (refused !== undefined) throw refused
    this.#valueBytes = bytes
  }

  keepFetched(bytes: number): void {
    if (this.#clientClosed) return
    const refused = this.#bounds.admission.bodies.take(bytes)
    if (refused !== undefined) throw refused
    this.#bodyBytes += bytes
  }

  releaseValues(): void {
    this.#bounds.admission.bodies.giveBack(this.#valueBytes)
    this.#valueBytes = 0
  }

  releaseBody(bytes: number): void {
    const returned = Math.min(bytes, this.#bodyBytes)
    this.#bodyBytes -= returned
    this.#bounds.admission.bodies.giveBack(returned)
  }

  listen(listener: ExchangeListener | undefined): void {
    this.#listener = listener
  }

  respond(status: number, headers: Record<string, string>, body: string | Buffer): void {
    if (this.#clientClosed) return
    const response = this.#response
    // Failed after the head was sent: the response cannot be replaced, only aborted.
    if (response === undefined || response.headersSent) return this.cut()
    const length = Buffer.byteLength(body)
    this.#writeHead(response, status, headers, length)
    // A text is sent together with its head, which saves a system call. ASCII needs no conversion.
    response.end(body, length === body.length ? 'latin1' : 'utf8')
    this.#limitLastBytes()
  }

  startStream(status: number, headers: Record<string, string>): void {
    const response = this.#response
    if (this.#clientClosed || response === undefined) return
    this.#writeHead(response, status, headers)
    this.#chunks = new ChunkWriter(response, this)
  }

  write(latin1: string): boolean {
    this.#hasWritten = true
    return this.#clientClosed || this.#chunks?.write(latin1) !== false
  }

  onDrain(): void {
    this.#listener?.onDrain()
  }

  endStream(bytes: Buffer | undefined): void {
    if (this.#clientClosed) return
    if (bytes === undefined) this.#answer.end()
    else this.#answer.end(bytes)
    this.#limitLastBytes()
  }

  lasts(): void {
    const request = this.#request
    const response = this.#response
    if (request === undefined || response === undefined || this.#chunks === undefined) return
    if (this.#clientClosed || !this.#hasWritten || response.writableNeedDrain) return
    // Tried once: if it is refused, it would be refused again.
    this.#request = undefined
    const taken = this.#bounds.longAnswers.take({ request, response, bytesRead: this.#bytesRead }, this)
    if (taken === undefined) return
    this.#response = undefined
    this.#answer = taken
    this.#chunks = taken
  }

  cut(): void {
    this.#answer.destroy()
  }

  onAnswerClosed(): void {
    clearTimeout(this.#lastBytesTimer)
    this.releaseBody(this.#bodyBytes)
    this.releaseValues()
    this.#bounds.admission.leave()
    this.#handleClosed()
  }

  /** A client that stops reading must not occupy memory and a place for ever. */
  #limitLastBytes(): void {
    if (this.#answer.writableFinished || this.#answer.writableLength === 0) return
    this.#lastBytesTimer = setTimeout(() => this.cut(), lastBytesTimeoutMs)
  }

  #writeHead(
    response: ServerResponse,
    status: number,
    headers: Record<string, string>,
    length?: number,
  ): void {
    const lines = ['x-request-id', this.requestId]
    for (const name in headers) lines.push(name, headers[name]!)
    if (length !== undefined) lines.push('content-length', String(length))
    response.writeHead(status, lines)
  }

  #handleClosed(): void {
    if (this.#answer.writableFinished || this.#clientClosed) return
    this.#clientClosed = true
    this.#listener?.onClientClosed()
  }
}

function pathOf(url: string): string {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}
