import type { IncomingMessage } from 'node:http'
import { GatewayError } from '@turnpike/protocol'
import { bodyDeadlineMs, tooSlow } from './body-time.ts'

export interface BodyBounds {
  maxBytes: number
  /** The time allowed for the body besides that for its size, and the longest pause of its sender. */
  bodyMs: number
  /** Whether a body of the announced length may begin; an error if not. */
  refusalOf: (announcedBytes: number) => GatewayError | undefined
  /** Receives the number of bytes that arrived and are kept; returns an error if they are too many. */
  take: (bytes: number) => GatewayError | undefined
}

/** Chunks smaller than this on average are joined, this many at a time. */
const smallChunkBytes = 1_024
const joinedChunks = 256

const nothing = Buffer.alloc(0)

/**
 * Reads the whole body of a request. Returns no promise if all of it has arrived.
 * @throws {GatewayError} 413 if it exceeds `maxBytes`, 408 if the sender pauses for `bodyMs` or is slower
 * than the required minimum, `client_closed_request` if it disconnects, and whatever error the bounds return
 */
export function readBody(request: IncomingMessage, bounds: BodyBounds): Buffer | Promise<Buffer> {
  const { maxBytes, bodyMs } = bounds
  const announcedBytes = Number(request.headers['content-length'] ?? 0)
  if (announcedBytes > maxBytes) throw tooLarge(maxBytes)
  // The sender disconnected while its key was looked up: no more events will come.
  if (request.destroyed) throw clientClosed()
  const refusal = bounds.refusalOf(announcedBytes)
  if (refusal !== undefined) throw refusal
  if (request.complete || hasArrived(request, announcedBytes)) return takeArrivedBody(request, bounds)
  return new Promise((resolve, reject) => {
    const chunks = new Chunks()
    const startedAtMs = performance.now()
    const timer = setTimeout(() => fail(bodyTimeout(bodyMs)), bodyMs)
    const onData = (chunk: Buffer): void => {
      if (chunks.bytes + chunk.length > maxBytes) return fail(tooLarge(maxBytes))
      const refused = bounds.take(chunk.length)
      if (refused !== undefined) return fail(refused)
      chunks.add(chunk)
      if (performance.now() - startedAtMs > bodyDeadlineMs(bodyMs, chunks.bytes)) return fail(tooSlow())
      timer.refresh()
    }
    const onEnd = (): void => {
      stop()
      resolve(chunks.join())
    }
    const onClose = (): void => fail(clientClosed())
    const stop = (): void => {
      clearTimeout(timer)
      request.off('data', onData)
      request.off('end', onEnd)
      request.off('error', onClose)
      request.off('close', onClose)
    }
    const fail = (error: GatewayError): void => {
      stop()
      // What is still being sent is discarded, so that the sender can go on to read the response.
      request.on('error', ignoreAfterAnswer)
      request.resume()
      reject(error)
    }
    request.on('data', onData)
    request.on('end', onEnd)
    request.on('error', onClose)
    request.on('close', onClose)
  })
}

/**
 * Whether the whole body has arrived, even if its end is not signalled yet: from a connection's second
 * request on, Node handles what follows the last bytes of a body before it signals that they were the last.
 */
function hasArrived({ readableLength }: IncomingMessage, announcedBytes: number): boolean {
  return announcedBytes > 0 && readableLength === announcedBytes
}

/** Takes a body that arrived with its head, as most do: no waiting, listeners or timer needed. */
function takeArrivedBody(request: IncomingMessage, { maxBytes, take }: BodyBounds): Buffer {
  // Without a length, Node 26 returns only the first piece; a body of more than 64 KB comes in several.
  const body = (request.read(request.readableLength) as Buffer | null) ?? nothing
  // To receive the end, if that is still to come.
  if (!request.complete) request.resume()
  const refused = body.length > maxBytes ? tooLarge(maxBytes) : take(body.length)
  if (refused !== undefined) throw refused
  return body
}

/** A body's pieces. Each costs 100 bytes besides its content, so a sender must not choose how many. */
class Chunks {
  #joined: Buffer[] = []
  #latest: Buffer[] = []
  #latestBytes = 0
  bytes = 0

  add(chunk: Buffer): void {
    this.bytes += chunk.length
    this.#latestBytes += chunk.length
    this.#latest.push(chunk)
    if (this.#latest.length < joinedChunks) return
    if (this.#latestBytes < joinedChunks * smallChunkBytes)
      this.#joined.push(Buffer.concat(this.#latest, this.#latestBytes))
    else this.#joined.push(...this.#latest)
    this.#latest = []
    this.#latestBytes = 0
  }

  join(): Buffer {
    if (this.#joined.length === 0 && this.#latest.length === 1) return this.#latest[0]!
    return Buffer.concat([...this.#joined, ...this.#latest], this.bytes)
  }
}

function clientClosed(): GatewayError {
  return new GatewayError('client_closed_request', 'The client closed the connection.')
}

/** The body was already refused, so it does not matter that its sender disconnects. */
function ignoreAfterAnswer(): void {}

function tooLarge(maxBytes: number): GatewayError {
  const mebibytes = maxBytes / (1024 * 1024)
  const limit = Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${maxBytes} bytes`
  return new GatewayError('request_too_large', `The body is larger than the limit of ${limit}.`)
}

function bodyTimeout(silenceMs: number): GatewayError {
  const message = `The body did not arrive in time: nothing was received for ${silenceMs / 1000} seconds.`
  return new GatewayError('invalid_request_error', message, { status: 408, headers: { connection: 'close' } })
}
