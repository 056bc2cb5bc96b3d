import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Exchange, ExchangeListener } from '@turnpike/gateway'
import { newIdentifier } from '@turnpike/protocol'
import { readBody } from './body-reader.ts'
import { ChunkWriter } from './chunk-writer.ts'
import { expectsContinue } from './expect-continue.ts'
import type { AnswerOwner, LongAnswer } from './long-answer.ts'
import type { LongAnswers } from './long-answers.ts'
import type { Admission } from './overload/admission.ts'

/** What an exchange is bounded by. */
export interface ExchangeBounds {
  /** What a body may take beside its size. */
  bodyMs: number
  /** By which it was let in: it leaves as its connection's answer closes. */
  admission: Admission
  /** Who takes its answer over where that goes on for a while. */
  longAnswers: LongAnswers
}

/** As what a request is served that came otherwise: at another path, by a key that was told elsewhere. */
export interface ServedAs {
  path: string
  keyHash: string
}

/** A client that has not taken an answer's last bytes so long after they were written is cut. */
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
  /** Both as long as Node has the connection: until the answer is one that goes on for a while. */
  #request: IncomingMessage | undefined
  #response: ServerResponse | undefined
  /** The response, or what has taken its place. */
  #answer: ServerResponse | LongAnswer
  #chunks: ChunkWriter | LongAnswer | undefined
  /** Something went out, and the head with it: Node keeps that back until then. */
  #hasWritten = false
  #listener: ExchangeListener | undefined
  #clientClosed = false
  /** Of the budget of all bodies. */
  #bodyBytes = 0
  #valueBytes = 0
  /** Of the connection, when the last of the body had come. */
  #bytesRead = 0
  #lastBytesTimer: NodeJS.Timeout | undefined

  /** @param servedAs absent: as it came, by the key that it brings */
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
    // The same once more, with every name as it was written: a stream would keep them to its end.
    request.rawHeaders = noRawHeaders
    this.#response = response
    this.#answer = response
    response.on('close', () => this.onAnswerClosed())
    // A write that meets a connection which has just gone reports it here, before `close`.
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

  readBody(maxBytes: number): Promise<Buffer> {
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
    const given = Math.min(bytes, this.#bodyBytes)
    this.#bodyBytes -= given
    this.#bounds.admission.bodies.giveBack(given)
  }

  listen(listener: ExchangeListener | undefined): void {
    this.#listener = listener
  }

  respond(status: number, headers: Record<string, string>, body: string | Buffer): void {
    if (this.#clientClosed) return
    const response = this.#response
    // Something failed after the head: what was begun cannot be taken back, only broken off.
    if (response === undefined || response.headersSent) return this.cut()
    this.#writeHead(response, status, headers, Buffer.byteLength(body))
    // A text goes out in one piece with its head: one system call less.
    response.end(body)
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
    // Asked once: who says no does so again.
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

  /** Who stops reading must not keep what was written for it, and its place, for ever. */
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
