import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { serveCompatible, type Gateway } from '@turnpike/gateway'
import { errorEnvelope, GatewayError, newIdentifier, toGatewayError } from '@turnpike/protocol'
import { crossOriginPolicy, type CrossOriginPolicy } from './cross-origin.ts'
import { expectsContinue } from './expect-continue.ts'
import { KnownHosts, type HostRules } from './known-hosts.ts'
import { LongAnswers, neverUpgrade } from './long-answers.ts'
import { NodeExchange, type ExchangeBounds } from './node-exchange.ts'
import { Admission, type OverloadLimits } from './overload/admission.ts'
import { ManagementRooms } from './overload/management-rooms.ts'
import { servedPath, type PlaygroundEndpoint } from './playground/endpoint.ts'
import { readTarget } from './request-target.ts'
import { respondError } from './respond-error.ts'
import { unknownPath } from './unknown-path.ts'

// Importing it would make Node load its WebSocket implementation too, which adds 50 ms to a start.
const { createServer } = process.getBuiltinModule('node:http')

/** Handles every path outside the compatible surface. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void

/** A head that takes longer than this comes from an attacker, or a dead client. */
const headersTimeoutMs = 20_000
/** How often Node looks for slow heads. */
const headersCheckMs = 1_000
/** Longer than load balancers keep connections: the side that connects should close them. */
const keepAliveTimeoutMs = 75_000
/**
 * Connections that may wait to be accepted, if the kernel allows that many (`net.core.somaxconn`). When a
 * node stops, the clients of all its streams connect to the others within a moment, and connections that do
 * not fit are reset.
 */
const backlog = 4_096
/** Lets the sender of a broken request read the error. */
const lastReadMs = 1_000
/** One turn to accept a connection, one to read its request. */
const turnsBeforeClosing = 2
export interface ServerLimits {
  maxHeaderBytes: number
  /** The time allowed for a body besides that for its size. */
  bodyMs: number
  callerAddress: (request: IncomingMessage) => string
  /** How long requests are accepted after the server is told to stop, so load balancers can react. */
  drainDelayMs: number
  /** How long requests may continue after the server is told to stop. */
  drainMs: number
  /** Whether connections of long streams are detached from `node:http`. */
  detachesStreams: boolean
  overload: OverloadLimits
}

/** From where, and under which names, the server may be called. */
export interface ServerAccess {
  /** Origins of web pages that may call `/v1/*`; `*`: all. */
  allowedOrigins: readonly string[]
  /** Called with the first request: with a random port, the address is not known before. */
  hosts: () => HostRules
  /** Whether a request is for the MCP server. Absent: there is none. */
  isMcp?: (request: IncomingMessage) => boolean
  /** Handles the dashboard's playground. Absent: its path is 404. */
  playground?: PlaygroundEndpoint
}

/** The only HTTP server: `/v1/*` goes to the pipeline, everything else to the management API. */
export class GatewayServer {
  readonly #server: Server
  readonly #gateway: Gateway
  readonly #management: NodeHandler
  readonly #limits: ServerLimits
  readonly #crossOrigin: CrossOriginPolicy | undefined
  readonly #playground: PlaygroundEndpoint | undefined
  readonly #hostRules: () => HostRules
  #hosts: KnownHosts | undefined
  /** Target and host of the last accepted request: most of the following ones have the same. */
  #passed: { target: string; host: string | undefined } = { target: '', host: undefined }
  /** The port it listens on, once it does. */
  #port = 0
  /** Decides which requests are admitted. */
  readonly admission: Admission
  readonly #bounds: ExchangeBounds
  readonly #longAnswers: LongAnswers
  /** Responses that have not ended, and requests that are not settled. */
  #openExchanges = 0
  readonly #settled = (): void => this.#endExchange()
  readonly #rooms: ManagementRooms
  /** The outstanding responses of each connection, in the order of their requests. */
  readonly #pending = new WeakMap<Duplex, ServerResponse[]>()
  #draining = false
  #drained: (() => void) | undefined

  constructor(gateway: Gateway, management: NodeHandler, limits: ServerLimits, access: ServerAccess) {
    this.#gateway = gateway
    this.#management = management
    this.#limits = limits
    this.#crossOrigin = crossOriginPolicy(access.allowedOrigins)
    this.#playground = access.playground
    this.#hostRules = access.hosts
    this.admission = new Admission(limits.overload)
    this.#server = createServer(
      {
        headersTimeout: headersTimeoutMs,
        // The time for a body depends on its size: `body-time.ts`.
        requestTimeout: 0,
        connectionsCheckingInterval: headersCheckMs,
        keepAliveTimeout: keepAliveTimeoutMs,
        maxHeaderSize: limits.maxHeaderBytes,
        // Two Authorization headers become one malformed one; two tag headers become one list.
        joinDuplicateHeaders: true,
        // Otherwise Node would reject a request without a Host by itself, without our envelope.
        requireHostHeader: false,
        noDelay: true,
        shouldUpgradeCallback: neverUpgrade,
      },
      (request, response) => this.#serve(request, response),
    )
    this.#longAnswers = new LongAnswers(this.#server, {
      isEnabled: limits.detachesStreams,
      keepAliveTimeoutMs,
      onTaken: (socket) => this.#pending.delete(socket),
      onAnswered: () => this.#endExchange(),
    })
    this.#bounds = {
      bodyMs: limits.bodyMs,
      admission: this.admission,
      longAnswers: this.#longAnswers,
    }
    this.#server.on('clientError', (error: Error & { code?: string }, socket) => {
      if (this.#longAnswers.taking) return
      this.#breakOff(error.code, socket)
    })
    this.#rooms = new ManagementRooms({
      bodyMs: limits.bodyMs,
      callerAddress: limits.callerAddress,
      isMcp: access.isMcp ?? (() => false),
      giveUp: ({ socket }) => this.#breakOff('ERR_HTTP_REQUEST_TIMEOUT', socket),
    })
    // The reader of the body sends 100 Continue when it needs the body.
    this.#server.on('checkContinue', (request, response) => this.#serve(request, response))
    // Without a listener Node would respond by itself, without our envelope.
    this.#server.on('checkExpectation', (request, response) =>
      respondError(response, this.#refusalOf(request) ?? unknownExpectation()),
    )
  }

  get draining(): boolean {
    return this.#draining
  }

  /** Resolves with the port: the given one, or a free one if that was 0. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, backlog, () => {
        this.#server.off('error', reject)
        const address = this.#server.address()
        const listensAt = typeof address === 'object' && address !== null ? address.port : port
        this.#port = listensAt
        resolve(listensAt)
      })
    })
  }

  /**
   * Shuts down gracefully. Readiness reports it at once. For `drainDelayMs` requests are accepted as before,
   * while load balancers switch to other nodes. Then no new connections are accepted, and existing ones end
   * with their next response, or after `drainMs` at the latest.
   */
  async drain(): Promise<void> {
    this.#draining = true
    await delay(this.#limits.drainDelayMs)
    // Node handles timers before network events. A request in an idle connection, or in one that is not
    // accepted yet, arrived in time however busy the machine was, so let it in first.
    for (let turn = 0; turn < turnsBeforeClosing; turn++) await nextTurn()
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#longAnswers.close()
    this.#rooms.release()
    const ended = new Promise<void>((resolve) => {
      this.#drained = resolve
      if (this.#openExchanges === 0) resolve()
    })
    const late = setTimeout(() => this.#cutAll(), this.#limits.drainMs)
    await ended
    this.#server.closeIdleConnections()
    await closed
    clearTimeout(late)
    this.admission.close()
    this.#rooms.close()
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    this.#openExchanges++
    const pending = this.#pendingWith(response, request.socket)
    response.on('close', () => {
      pending.shift()
      if (!request.complete) this.#rooms.trackEarlyAnswer(request)
      this.#endExchange()
    })
    if (this.#draining) response.setHeader('connection', 'close')
    const refusal = this.#refusalOf(request)
    if (refusal !== undefined) return respondError(response, refusal)
    const { url = '/' } = request
    if (url.startsWith('/v1/') || url.startsWith('/v1beta/')) this.#serveCompatible(request, response)
    else if (isWatch(url)) this.#serveManagement(request, response)
    else if (this.#playground?.serves(url) === true)
      this.#serveUser(request, response, this.#playground.keyHashOf(request))
    else {
      const noRoom = this.#rooms.enter(request, response)
      if (noRoom === undefined) this.#serveManagement(request, response)
      else respondError(response, noRoom)
    }
  }

  /** Why a request is refused. If it is not, its path is in canonical form from here on. */
  #refusalOf(request: IncomingMessage): GatewayError | undefined {
    const target = request.url ?? '/'
    const { host } = request.headers
    const passed = this.#passed
    if (target === passed.target && host === passed.host) return undefined
    const { authority, url } = readTarget(target)
    this.#hosts ??= new KnownHosts(this.#hostRules(), this.#port)
    const refusal = this.#hosts.refusalOf(request, authority, url !== undefined && isWatch(url))
    if (refusal !== undefined) return refusal
    if (url === undefined) return unknownPath()
    request.url = url
    // Only for a request that was accepted unchanged: an identical one then needs no second check.
    if (url === target && host !== undefined) this.#passed = { target, host }
    return undefined
  }

  #serveCompatible(request: IncomingMessage, response: ServerResponse): void {
    const { origin } = request.headers
    if (origin !== undefined && this.#crossOrigin?.(origin, request, response) === true) return
    const refusal = this.admission.enter()
    if (refusal !== undefined) return respondError(response, refusal)
    // A client may leave before its request is settled; the server stops only after that.
    this.#openExchanges++
    void serveCompatible(new NodeExchange(request, response, this.#bounds), this.#gateway).then(this.#settled)
  }

  /** A playground request: served as one of `/v1/*` once its key is known. */
  #serveUser(request: IncomingMessage, response: ServerResponse, found: Promise<string>): void {
    this.#openExchanges++
    const serve = (keyHash: string): Promise<void> | undefined => {
      // The client has left in the meantime; an exchange would not be notified of that any more.
      if (response.closed) return undefined
      const refusal = this.admission.enter()
      if (refusal !== undefined) throw refusal
      const servedAs = { path: servedPath, keyHash }
      return serveCompatible(new NodeExchange(request, response, this.#bounds, servedAs), this.#gateway)
    }
    const refuse = (thrown: unknown): void => {
      const error = toGatewayError(thrown)
      if (error.status === 500) this.#gateway.log.error({ detail: error.detail }, error.message)
      respondError(response, error)
    }
    void found.then(serve).catch(refuse).then(this.#settled)
  }

  #serveManagement(request: IncomingMessage, response: ServerResponse): void {
    if (expectsContinue(request)) response.writeContinue()
    this.#management(request, response)
  }

  #pendingWith(response: ServerResponse, connection: Duplex): ServerResponse[] {
    let pending = this.#pending.get(connection)
    if (pending === undefined) {
      // An array literal: pushing into an empty array would allocate room for 16 more.
      pending = [response]
      this.#pending.set(connection, pending)
    } else pending.push(response)
    return pending
  }

  #breakOff(code: string | undefined, socket: Duplex): void {
    if (this.#mayAnswer(socket)) answerBrokenRequest(code, socket, this.#limits.maxHeaderBytes)
    else socket.destroy()
  }

  /**
   * Whether an error can be written: after a complete request it would end up within that request's response;
   * within a request's body it is the response.
   */
  #mayAnswer(socket: Duplex): boolean {
    const [first, ...others] = this.#pending.get(socket) ?? []
    if (first === undefined) return true
    return others.length === 0 && !first.req.complete && !first.headersSent
  }

  #cutAll(): void {
    this.#server.closeAllConnections()
    this.#longAnswers.cut()
  }

  #endExchange(): void {
    this.#openExchanges--
    if (this.#openExchanges === 0) this.#drained?.()
  }
}

function unknownExpectation(): GatewayError {
  const message = 'Expect: the gateway only supports 100-continue.'
  return new GatewayError('invalid_request_error', message, { status: 417, headers: { connection: 'close' } })
}

/** Paths that report the server's state respond even under overload. */
function isWatch(url: string): boolean {
  return url === '/healthz' || url === '/readyz' || url === '/metrics'
}

/** A request that is not HTTP, too slow, or has too large a head never becomes a request object. */
function answerBrokenRequest(code: string | undefined, socket: Duplex, maxHeaderBytes: number): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { status, reason, message } = describeBrokenRequest(code, maxHeaderBytes)
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
  // The other side may keep its half of the connection open for as long as it likes.
  setTimeout(() => socket.destroy(), lastReadMs).unref()
}

function describeBrokenRequest(
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
