import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LongAnswer, type AnswerOwner } from './long-answer.ts'

/** A response that `node:http` has begun. */
export interface BegunAnswer {
  request: IncomingMessage
  response: ServerResponse
  /** How many bytes had been read from the connection when the request was complete. */
  bytesRead: number
}

export interface LongAnswersOptions {
  /** Whether connections are taken at all. */
  isEnabled: boolean
  /** How long an idle connection is kept. */
  keepAliveTimeoutMs: number
  /** Called when a connection is taken; `node:http` then reports nothing more about its response. */
  onTaken: (socket: Socket) => void
  /** Called when a taken response is complete, or its connection is closed. */
  onAnswered: () => void
}

const nothing = Buffer.alloc(0)
/** Added to the timeout that the client is told, so that the client closes first, as in `node:http`. */
const keepAliveGraceMs = 1_000

/**
 * Connections with a response that has been going on for a while, and idle ones after such a response. For
 * each connection `node:http` keeps 15 KB: the parser for the next request, 8 KB of which is a slab for
 * headers (nodejs/node#61375), and all of the last request. It frees that when it hands a connection over, as
 * it does for protocol upgrades, so this class makes it do so. With the first bytes of the next request, the
 * connection goes back to `node:http` as if it were new (https://nodejs.org/api/http.html#event-connection).
 * A Node version where this does not work keeps its connections.
 */
export class LongAnswers {
  readonly #server: Server
  readonly #options: LongAnswersOptions
  /** Before Node 24.9, a server that listens for upgrades must serve all that clients request. */
  readonly #able: boolean
  readonly #answers = new Map<Socket, LongAnswer>()
  readonly #resting = new Set<Socket>()
  /** The connection that is currently being taken. */
  #wanted: Socket | undefined
  #closing = false
  readonly #onFinished = (socket: Socket): void => this.#endAnswer(socket)
  readonly #onClose: (this: Socket) => void
  readonly #onReadable: (this: Socket) => void

  constructor(server: Server, options: LongAnswersOptions) {
    this.#server = server
    this.#options = options
    this.#able = options.isEnabled && 'shouldUpgradeCallback' in server
    const onDetached = (socket: unknown): void => {
      if (socket === this.#wanted) this.#wanted = undefined
    }
    if (this.#able) server.on('upgrade', (_request, socket) => onDetached(socket))
    // One function for all connections: a separate one would take 100 bytes each.
    const closed = (socket: Socket): void => this.#handleClosed(socket)
    const readable = (socket: Socket): void => this.#handleReadable(socket)
    this.#onClose = function onClose() {
      closed(this)
    }
    this.#onReadable = function onReadable() {
      readable(this)
    }
  }

  /** True while a connection is being taken: errors that Node raises then must not be sent to the client. */
  get taking(): boolean {
    return this.#wanted !== undefined
  }

  /**
   * Takes over a response whose head and first chunks are written, provided that nothing has arrived after
   * its request.
   * @returns the writer for the rest of it; undefined if `node:http` keeps it
   */
  take({ request, response, bytesRead }: BegunAnswer, owner: AnswerOwner): LongAnswer | undefined {
    const { socket } = response
    if (!this.#able || this.#closing) return undefined
    if (socket === null || !response.chunkedEncoding || !request.complete) return undefined
    if (socket.destroyed || socket.isPaused() || socket.bytesRead !== bytesRead) return undefined
    if (halfRequestCame(socket) || !this.#detachFromNode(request, socket)) return undefined
    response.detachSocket(socket)
    const keepsAlive = response.shouldKeepAlive && response.getHeader('connection') !== 'close'
    const answer = new LongAnswer(socket, { owner, keepsAlive, onFinished: this.#onFinished })
    this.#answers.set(socket, answer)
    socket.on('close', this.#onClose).on('error', closeFollows).on('end', endToo)
    // Keeps reading, to notice when the client disconnects; data that arrives waits in the socket's buffer.
    socket.read(0)
    this.#options.onTaken(socket)
    return answer
  }

  /** Accepts no further requests: idle connections are closed now, the others after their response. */
  close(): void {
    this.#closing = true
    for (const socket of this.#resting) socket.destroy()
  }

  /** Aborts the responses that are still in progress. */
  cut(): void {
    for (const socket of this.#answers.keys()) socket.destroy()
  }

  /** Node checks for an upgrade whenever it has parsed something, even zero bytes. */
  #detachFromNode(request: IncomingMessage & { upgrade?: boolean }, socket: Socket): boolean {
    this.#wanted = socket
    request.upgrade = true
    socket.emit('data', nothing)
    request.upgrade = false
    const isDetached = this.#wanted === undefined
    this.#wanted = undefined
    return isDetached
  }

  #endAnswer(socket: Socket): void {
    const answer = this.#removeAnswer(socket)
    if (answer === undefined) return
    if (this.#closing || !answer.keepsAlive) return socket.destroySoon()
    if (socket.readableLength > 0) return this.#giveBack(socket)
    this.#resting.add(socket)
    socket.setTimeout(this.#options.keepAliveTimeoutMs + keepAliveGraceMs)
    socket.on('timeout', hangUp).on('readable', this.#onReadable)
  }

  #handleClosed(socket: Socket): void {
    this.#resting.delete(socket)
    this.#removeAnswer(socket)
  }

  /** Undefined if it was already over. */
  #removeAnswer(socket: Socket): LongAnswer | undefined {
    const answer = this.#answers.get(socket)
    if (answer === undefined) return undefined
    this.#answers.delete(socket)
    answer.owner.onAnswerClosed()
    this.#options.onAnswered()
    return answer
  }

  /** Also called at the end of the connection, with nothing to read. */
  #handleReadable(socket: Socket): void {
    if (socket.readableLength > 0) this.#giveBack(socket)
  }

  #giveBack(socket: Socket): void {
    this.#resting.delete(socket)
    socket.setTimeout(0)
    socket.off('timeout', hangUp).off('readable', this.#onReadable)
    socket.off('close', this.#onClose).off('error', closeFollows).off('end', endToo)
    this.#server.emit('connection', socket)
  }
}

/**
 * Whether part of the next request arrived in the same piece as this one. That part would be lost with the
 * parser, and the bytes after it would be read as a request (RFC 9112, section 11.2). When told that the
 * input has ended, a parser reports an error for half a message, and can still continue if more arrives.
 */
function halfRequestCame(socket: Socket & { parser?: { finish: () => unknown } | null }): boolean {
  return socket.parser?.finish() instanceof Error
}

/** A client that requests a protocol upgrade is answered in HTTP/1.1, as by a server without upgrades. */
export function neverUpgrade(): boolean {
  return false
}

function closeFollows(): void {}

/** A client that closes its sending side counts as disconnected, as in `node:http`. */
function endToo(this: Socket): void {
  this.end()
}

function hangUp(this: Socket): void {
  this.destroy()
}
