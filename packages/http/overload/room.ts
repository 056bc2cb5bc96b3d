import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request whose body has not arrived yet. */
export interface Arriving {
  request: IncomingMessage
  response: ServerResponse
  address: string
  sinceMs: number
  /** Bytes read from its connection when its head was complete. */
  bytesBefore: number
}

export interface RoomLimits {
  /** Requests in progress. */
  maxWorking: number
  /** Requests whose bodies are still to arrive. */
  maxArriving: number
  /** The same, per caller's address. */
  maxArrivingPerAddress: number
}

/**
 * The capacity of the management API for one kind of callers. Complete requests are processed, and refused if
 * there are too many. Incomplete ones take nobody's place: if there are too many, the oldest one of the
 * address with the most of them is dropped. A request that arrives with its body is never dropped.
 */
export class Room {
  readonly #limits: RoomLimits
  readonly #giveUp: (arriving: Arriving) => void
  /** By address, oldest first. */
  readonly #arriving = new Map<string, Set<Arriving>>()
  #arrivingCount = 0
  #working = 0

  /** @param giveUp answers a request that is dropped, and closes its connection */
  constructor(limits: RoomLimits, giveUp: (arriving: Arriving) => void) {
    this.#limits = limits
    this.#giveUp = giveUp
  }

  get isFull(): boolean {
    return this.#working >= this.#limits.maxWorking
  }

  /** Admits a request; it leaves by itself. */
  enter(request: IncomingMessage, response: ServerResponse, address: string): void {
    if (!hasBodyToCome(request)) return this.#work(response)
    const arriving: Arriving = {
      request,
      response,
      address,
      sinceMs: performance.now(),
      bytesBefore: request.socket.bytesRead,
    }
    this.#makeRoom(address)
    this.#add(arriving)
    const leave = (): boolean => this.#remove(arriving)
    response.once('close', leave)
    // Emitted once the whole body has been read.
    request.once('end', () => {
      response.off('close', leave)
      if (this.#remove(arriving)) this.#work(response)
    })
  }

  /** All incomplete requests. */
  *arriving(): Iterable<Arriving> {
    for (const ofAddress of this.#arriving.values()) yield* ofAddress
  }

  /** A response that is finished, but not read by its caller, no longer counts as work. */
  #work(response: ServerResponse): void {
    this.#working++
    const leave = (): void => {
      response.off('prefinish', leave)
      response.off('close', leave)
      this.#working--
    }
    response.on('prefinish', leave)
    response.on('close', leave)
  }

  #makeRoom(address: string): void {
    const { maxArriving, maxArrivingPerAddress } = this.#limits
    const ofAddress = this.#arriving.get(address)
    if (ofAddress !== undefined && ofAddress.size >= maxArrivingPerAddress) this.#giveUpOldest(ofAddress)
    else if (this.#arrivingCount >= maxArriving) this.#giveUpOldest(this.#most())
  }

  #most(): Set<Arriving> {
    let most = new Set<Arriving>()
    for (const ofAddress of this.#arriving.values()) if (ofAddress.size > most.size) most = ofAddress
    return most
  }

  #giveUpOldest(ofAddress: Set<Arriving>): void {
    for (const oldest of ofAddress) {
      // It has arrived completely, but has not been read yet.
      if (oldest.request.complete) continue
      this.#remove(oldest)
      return this.#giveUp(oldest)
    }
  }

  #add(arriving: Arriving): void {
    const ofAddress = this.#arriving.get(arriving.address)
    if (ofAddress === undefined) this.#arriving.set(arriving.address, new Set([arriving]))
    else ofAddress.add(arriving)
    this.#arrivingCount++
  }

  #remove(arriving: Arriving): boolean {
    const ofAddress = this.#arriving.get(arriving.address)
    if (ofAddress?.delete(arriving) !== true) return false
    if (ofAddress.size === 0) this.#arriving.delete(arriving.address)
    this.#arrivingCount--
    return true
  }
}

function hasBodyToCome({ headers, complete }: IncomingMessage): boolean {
  if (complete) return false
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
