import type { IncomingMessage, ServerResponse } from 'node:http'
import { GatewayError } from '@turnpike/protocol'
import { bodyDeadlineMs } from '../body-time.ts'
import { Room, type Arriving } from './room.ts'

/** Keeps the management API and `/v1/*` from taking capacity from each other. */
const ofIdentified = { maxWorking: 450, maxArriving: 400, maxArrivingPerAddress: 400 }
const ofAnonymous = { maxWorking: 450, maxArriving: 250, maxArrivingPerAddress: 50 }
/** A tool that calls a model takes as long as the model does. */
const ofMcp = { maxWorking: 2_000, maxArriving: 400, maxArrivingPerAddress: 400 }
const ofWebhooks = { maxWorking: 100, maxArriving: 100, maxArrivingPerAddress: 20 }

/** How often late requests are checked. */
const lookEveryMs = 1_000
/** A response that its caller does not read is dropped after this time. */
const notTakenMs = 60_000

export interface ManagementRoomsOptions {
  /** The time allowed for a body besides that for its size. */
  bodyMs: number
  callerAddress: (request: IncomingMessage) => string
  /** Whether a request is for the MCP server. */
  isMcp: (request: IncomingMessage) => boolean
  /** Answers a request whose body does not arrive, and closes its connection. */
  giveUp: (request: IncomingMessage, response: ServerResponse) => void
}

/**
 * Admits requests to the management API. Identified callers, anonymous callers, and payment processors each
 * have a room of their own, so that no kind can crowd out another.
 */
export class ManagementRooms {
  readonly #options: ManagementRoomsOptions
  readonly #identified: Room
  readonly #anonymous: Room
  readonly #webhooks: Room
  readonly #mcp: Room
  /** Bodies of answered requests and responses that nobody reads, with the time since when. */
  readonly #leftovers = new Map<IncomingMessage | ServerResponse, number>()
  readonly #timer: NodeJS.Timeout

  constructor(options: ManagementRoomsOptions) {
    this.#options = options
    const giveUp = ({ request, response }: Arriving): void => options.giveUp(request, response)
    this.#identified = new Room(ofIdentified, giveUp)
    this.#anonymous = new Room(ofAnonymous, giveUp)
    this.#webhooks = new Room(ofWebhooks, giveUp)
    this.#mcp = new Room(ofMcp, giveUp)
    this.#timer = setInterval(() => this.#look(performance.now()), lookEveryMs).unref()
  }

  /** Admits a request, or returns why not. */
  enter(request: IncomingMessage, response: ServerResponse): GatewayError | undefined {
    const room = this.#roomOf(request)
    if (room.isFull) return tooManyRequests()
    room.enter(request, response, this.#options.callerAddress(request))
    response.once('prefinish', () => this.#leftovers.set(response, performance.now()))
    response.once('close', () => this.#leftovers.delete(response))
    return undefined
  }

  /** Call it when a request to either surface was answered before its body had arrived. */
  trackEarlyAnswer(request: IncomingMessage): void {
    this.#leftovers.set(request, performance.now())
    request.once('close', () => this.#leftovers.delete(request))
  }

  /** The server is shutting down: do not wait for bodies and responses that nobody needs any more. */
  release(): void {
    for (const left of this.#leftovers.keys()) if ('complete' in left && !left.complete) left.socket.destroy()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /**
   * Chooses the room by the credential, before that is verified: a wrong one is refused before the body is
   * awaited. Outside `/api/` a credential does not count, since it is not verified there.
   */
  #roomOf(request: IncomingMessage): Room {
    const { url = '/', headers } = request
    if (url.startsWith('/webhooks/')) return this.#webhooks
    if (headers.authorization !== undefined && this.#options.isMcp(request)) return this.#mcp
    const tells = headers.authorization !== undefined || headers['x-internal-secret'] !== undefined
    return tells && url.startsWith('/api/') ? this.#identified : this.#anonymous
  }

  #look(nowMs: number): void {
    for (const room of [this.#identified, this.#anonymous, this.#webhooks, this.#mcp]) {
      for (const arriving of room.arriving()) if (this.#isLate(arriving, nowMs)) this.#giveUp(arriving)
    }
    for (const [left, sinceMs] of this.#leftovers) this.#lookAfter(left, nowMs - sinceMs)
  }

  #isLate({ request, sinceMs, bytesBefore }: Arriving, nowMs: number): boolean {
    const bytes = request.socket.bytesRead - bytesBefore
    return nowMs - sinceMs > bodyDeadlineMs(this.#options.bodyMs, bytes)
  }

  #giveUp({ request, response }: Arriving): void {
    if (!request.complete) this.#options.giveUp(request, response)
  }

  #lookAfter(left: IncomingMessage | ServerResponse, ageMs: number): void {
    const { socket } = left
    const isBody = 'complete' in left
    if (socket === null || socket.destroyed || (isBody && left.complete)) this.#leftovers.delete(left)
    else if (ageMs > (isBody ? this.#options.bodyMs : notTakenMs)) socket.destroy()
  }
}

function tooManyRequests(): GatewayError {
  const message = 'The management API is overloaded; please retry.'
  return new GatewayError('service_unavailable', message, { retryAfterSeconds: 1 })
}
