import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { serveCompatible, type Gateway } from '@turnpike/gateway'
import { errorEnvelope, GatewayError, newIdentifier } from '@turnpike/protocol'
import { respondError } from './respond-error.ts'
import { NodeExchange } from './node-exchange.ts'

// An import of it has Node load its WebSocket as well, which takes 50 ms of a start.
const { createServer } = process.getBuiltinModule('node:http')

/** What is at every path that is not the compatible surface. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

/** A head that takes longer than this is an attack, or a dead client. */
const headersTimeoutMs = 20_000
/** The whole request, body included. */
const requestTimeoutMs = 300_000
/** Longer than load balancers keep theirs: the side that dials should be the one that hangs up. */
const keepAliveTimeoutMs = 75_000
const drainRetryAfterSeconds = 2

export interface ServerLimits {
  maxHeaderBytes: number
  /** Longest silence of a sender within its body. */
  bodyStallMs: number
  /** How long requests may go on once the server is told to stop. */
  drainMs: number
}

/** The one HTTP server: `/v1/*` goes to the pipeline, everything else to the management API. */
export class GatewayServer {
  readonly #server: Server
  readonly #gateway: Gateway
  readonly #management: NodeHandler
  readonly #limits: ServerLimits
  #openExchanges = 0
  /** Of each connection the answers that are still to be given, in the order of their requests. */
  readonly #pending = new WeakMap<Duplex, ServerResponse[]>()
  #draining = false
  #drained: (() => void) | undefined

  constructor(gateway: Gateway, management: NodeHandler, limits: ServerLimits) {
    this.#gateway = gateway
    this.#management = management
    this.#limits = limits
    this.#server = createServer(
      {
        headersTimeout: headersTimeoutMs,
        requestTimeout: requestTimeoutMs,
        keepAliveTimeout: keepAliveTimeoutMs,
        maxHeaderSize: limits.maxHeaderBytes,
        // Two Authorization headers become one malformed one; two tag headers one list.
        joinDuplicateHeaders: true,
        // Without a Host Node would answer on its own, in no envelope of ours.
        requireHostHeader: false,
        noDelay: true,
      },
      (request, response) => this.#serve(request, response),
    )
    this.#server.on('clientError', (error: Error & { code?: string }, socket) => {
      if (this.#mayAnswer(socket)) answerBrokenRequest(error.code, socket, limits.maxHeaderBytes)
      else socket.destroy()
    })
    // Without a listener Node would answer on its own, in no envelope of ours.
    this.#server.on('checkExpectation', (_request, response) => respondError(response, unknownExpectation()))
  }

  get draining(): boolean {
    return this.#draining
  }

  /** Resolves with the port, which is the given one unless that was 0. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject)
        const address = this.#server.address()
        resolve(typeof address === 'object' && address !== null ? address.port : port)
      })
    })
  }

  /** No new requests; those under way end, for at most `drainMs`, and then are cut. */
  async drain(): Promise<void> {
    this.#draining = true
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    const ended = new Promise<void>((resolve) => {
      this.#drained = resolve
      if (this.#openExchanges === 0) resolve()
    })
    const late = setTimeout(() => this.#server.closeAllConnections(), this.#limits.drainMs)
    await ended
    this.#server.closeIdleConnections()
    await closed
    clearTimeout(late)
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.#openExchanges++
    const pending = this.#pending.get(request.socket) ?? []
    this.#pending.set(request.socket, pending)
    pending.push(response)
    response.on('close', () => {
      pending.shift()
      this.#ended()
    })
    request.url = originForm(request.url)
    if (this.#draining) {
      response.setHeader('connection', 'close')
      if (!isHealthCheck(request)) return respondError(response, drainingError())
    }
    if (!request.url.startsWith('/v1/')) return this.#management(request, response)
    void serveCompatible(new NodeExchange(request, response, this.#limits.bodyStallMs), this.#gateway)
  }

  /** Behind a whole request an error must not get into its answer; within its body it is its answer. */
  #mayAnswer(socket: Duplex): boolean {
    const [first, ...others] = this.#pending.get(socket) ?? []
    if (first === undefined) return true
    return others.length === 0 && !first.req.complete && !first.headersSent
  }

  #ended(): void {
    this.#openExchanges--
    if (this.#openExchanges === 0) this.#drained?.()
  }
}

/** Clients may name the server in a request's line (RFC 9112, section 3.2.2); where it goes is the path. */
function originForm(target: string = '/'): string {
  if (target.startsWith('/')) return target
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1]
  if (path === undefined) return target
  return path.startsWith('/') ? path : `/${path}`
}

function unknownExpectation(): GatewayError {
  const message = 'Expect: the gateway knows no expectation but 100-continue.'
  return new GatewayError('invalid_request_error', message, { status: 417, headers: { connection: 'close' } })
}

function isHealthCheck(request: IncomingMessage): boolean {
  return request.url === '/healthz' || request.url === '/readyz'
}

function drainingError(): GatewayError {
  return new GatewayError('service_unavailable', 'This node is stopping; please retry.', {
    retryAfterSeconds: drainRetryAfterSeconds,
  })
}

/** A request that is no HTTP, or too slow, or whose head is too large, never becomes a request object. */
function answerBrokenRequest(code: string | undefined, socket: Duplex, maxHeaderBytes: number): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { status, reason, message } = brokenRequest(code, maxHeaderBytes)
  const requestId = newIdentifier('req')
  const refused = new GatewayError('invalid_request_error', message, { status })
  const body = JSON.stringify(errorEnvelope(refused, requestId))
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function brokenRequest(
  code: string | undefined,
  maxHeaderBytes: number,
): { status: number; reason: string; message: string } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        reason: 'Request Header Fields Too Large',
        message: `The headers are larger than the limit of ${maxHeaderBytes / 1024} KiB.`,
      }
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, reason: 'Request Timeout', message: 'The request did not arrive in time.' }
    default:
      return { status: 400, reason: 'Bad Request', message: 'The request is not valid HTTP/1.1.' }
  }
}
