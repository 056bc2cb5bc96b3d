import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LongAnswer, type AnswerOwner } from './long-answer.ts'

/** An answer that `node:http` has begun. */
export interface BegunAnswer {
  request: IncomingMessage
  response: ServerResponse
  /** What had been read of the connection when the request was whole. */
  bytesRead: number
}

export interface LongAnswersOptions {
  /** Whether any connection is taken. */
  isEnabled: boolean
  /** How long a connection without a request is kept. */
  keepAliveTimeoutMs: number
  /** Of this connection's answer `node:http` says nothing any more. */
  onTaken: (socket: Socket) => void
  /** One that was taken is over, or its connection is. */
  onAnswered: () => void
}

const nothing = Buffer.alloc(0)
/** Beyond what the client is told, so that it is the one that hangs up: as `node:http` has it. */
const keepAliveGraceMs = 1_000

/**
 * Connections whose answer goes on for a while, and those that rest behind one. `node:http` keeps 15 KB for
 * each: the parser of its next request, of which 8 are a slab for headers (nodejs/node#61375), and all of the
 * last request. It lets go of that where it gives a connection away, as it does when a protocol is upgraded.
 * So it is made to here; it has the connection back with the first bytes of the next request, as one that it
 * has not seen (https://nodejs.org/api/http.html#event-connection). A Node that does not go along keeps it.
 */
export class LongAnswers {
  readonly #server: Server
  readonly #options: LongAnswersOptions
  /** Before Node 24.9 whoever listens to upgrades must serve those that clients ask for. */
  readonly #able: boolean
  readonly #answers = new Map<Socket, LongAnswer>()
  readonly #resting = new Set<Socket>()
  /** The connection that is being taken, until it is. */
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
    // One for all: a function of its own is 100 bytes a connection.
    const closed = (socket: Socket): void => this.#handleClosed(socket)
    const readable = (socket: Socket): void => this.#handleReadable(socket)
    this.#onClose = function onClose() {
      closed(this)
    }
    this.#onReadable = function onReadable() {
      readable(this)
    }
  }

  /** True while a connection is being taken: what Node finds wrong with it then is not for its client. */
  get taking(): boolean {
    return this.#wanted !== undefined
  }

  /**
   * Takes an answer whose head and first chunks are written, where nothing but its request has come.
   * @returns what writes the rest of it; undefined where `node:http` keeps it
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
    // Reads on, so that its client's leaving is noticed; what comes waits in the socket's buffer.
    socket.read(0)
    this.#options.onTaken(socket)
    return answer
  }

  /** No connection is to take another request: those that rest end now, the others with their answers. */
  close(): void {
    this.#closing = true
    for (const socket of this.#resting) socket.destroy()
  }

  /** Breaks off what is still under way. */
  cut(): void {
    for (const socket of this.#answers.keys()) socket.destroy()
  }

  /** Node checks for an upgrade each time it has parsed something, also where that was zero bytes. */
  #detachFromNode(request: IncomingMessage & { upgrade?: boolean }, socket: Socket): boolean {
    this.#wanted = socket
    request.upgrade = true
    socket.emit('data', nothing)
    request.upgrade = false
    const given = this.#wanted === undefined
    this.#wanted = undefined
    return given
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

  /** Undefined where it was over before. */
  #removeAnswer(socket: Socket): LongAnswer | undefined {
    const answer = this.#answers.get(socket)
    if (answer === undefined) return undefined
    this.#answers.delete(socket)
    answer.owner.onAnswerClosed()
    this.#options.onAnswered()
    return answer
  }

  /** Also called at the connection's end, with nothing to read. */
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
 * Whether a part of the next request came in one piece with this one. It would be lost with the parser, and
 * what follows it be taken for a request (RFC 9112, section 11.2). A parser that is told of the end finds
 * fault with half a message, and goes on all the same where there is more.
 */
function halfRequestCame(socket: Socket & { parser?: { finish: () => unknown } | null }): boolean {
  return socket.parser?.finish() instanceof Error
}

/** A client that asks for another protocol is answered in HTTP/1.1, as by a server without upgrades. */
export function neverUpgrade(): boolean {
  return false
}

function closeFollows(): void {}

/** A client that will send nothing more has left, as for `node:http`. */
function endToo(this: Socket): void {
  this.end()
}

function hangUp(this: Socket): void {
  this.destroy()
}
