import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request whose body has not come yet. */
export interface Arriving {
  request: IncomingMessage
  response: ServerResponse
  address: string
  sinceMs: number
  /** What its connection had read when its head was there. */
  bytesBefore: number
}

export interface RoomLimits {
  /** Requests that are worked on. */
  maxWorking: number
  /** Requests whose bodies are still to come. */
  maxArriving: number
  /** The same, of one caller's address. */
  maxArrivingPerAddress: number
}

/**
 * One kind of callers' part of the management API. Requests that are there in full are worked on, and refused
 * where there are too many. Half-sent ones cost nobody a place: where they are too many, the oldest one of
 * the address that has most of them has to go. Whoever sends its body with its head is never that one.
 */
export class Room {
  readonly #limits: RoomLimits
  readonly #giveUp: (arriving: Arriving) => void
  /** By address, the oldest first. */
  readonly #arriving = new Map<string, Set<Arriving>>()
  #arrivingCount = 0
  #working = 0

  /** @param giveUp answers one that has to go, and closes its connection */
  constructor(limits: RoomLimits, giveUp: (arriving: Arriving) => void) {
    this.#limits = limits
    this.#giveUp = giveUp
  }

  get isFull(): boolean {
    return this.#working >= this.#limits.maxWorking
  }

  /** Takes a request in, which leaves by itself. */
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
    // Told once somebody has read it all.
    request.once('end', () => {
      response.off('close', leave)
      if (this.#remove(arriving)) this.#work(response)
    })
  }

  /** All half-sent requests. */
  *arriving(): Iterable<Arriving> {
    for (const ofAddress of this.#arriving.values()) yield* ofAddress
  }

  /** What was answered, but is not taken by its caller, is no work any more. */
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
      // All of it is there, though nobody has read it yet.
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
