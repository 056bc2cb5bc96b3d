import type { IncomingMessage } from 'node:http'
import { GatewayError } from '@turnpike/protocol'
import { bodyDeadlineMs, tooSlow } from './body-time.ts'

export interface BodyBounds {
  maxBytes: number
  /** What the body may take beside its size, and the longest silence of its sender. */
  bodyMs: number
  /** Whether a body of the length that its head says may begin; an error where not. */
  refusalOf: (announcedBytes: number) => GatewayError | undefined
  /** Told of the bytes that have arrived and are kept; an error where they are too many. */
  take: (bytes: number) => GatewayError | undefined
}

/** Chunks smaller than this on average are joined, so many at a time. */
const smallChunkBytes = 1_024
const joinedChunks = 256

const nothing = Buffer.alloc(0)

/**
 * The whole body of a request.
 * Rejects with 413 over `maxBytes`, 408 where the sender is silent for `bodyMs` or slower than all have to
 * be, `client_closed_request` where it leaves, and with what the bounds refuse.
 */
export function readBody(request: IncomingMessage, bounds: BodyBounds): Promise<Buffer> {
  const { maxBytes, bodyMs } = bounds
  const announcedBytes = Number(request.headers['content-length'] ?? 0)
  if (announcedBytes > maxBytes) return Promise.reject(tooLarge(maxBytes))
  // Who left while its key was looked up: nothing more will be heard of it.
  if (request.destroyed) return Promise.reject(clientClosed())
  const refusal = bounds.refusalOf(announcedBytes)
  if (refusal !== undefined) return Promise.reject(refusal)
  if (request.complete || hasArrived(request, announcedBytes))
    return new Promise((resolve) => resolve(takeArrivedBody(request, bounds)))
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
      // What is still sent is thrown away, so that the sender lives to read the answer.
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
 * All of it is there, though its end is not told yet: from a connection's second request on, Node runs what
 * waits behind a body's last bytes before it says that they were the last.
 */
function hasArrived({ readableLength }: IncomingMessage, announcedBytes: number): boolean {
  return announcedBytes > 0 && readableLength === announcedBytes
}

/**
 * A body that came with its head, as most do: nothing is to be waited for, and no listeners and no timer are
 * needed.
 */
function takeArrivedBody(request: IncomingMessage, { maxBytes, take }: BodyBounds): Buffer {
  // Without a length it is the first piece alone (Node 26): a body of more than 64 KB comes in several.
  const body = (request.read(request.readableLength) as Buffer | null) ?? nothing
  // For its end, where that is still to come.
  if (!request.complete) request.resume()
  const refused = body.length > maxBytes ? tooLarge(maxBytes) : take(body.length)
  if (refused !== undefined) throw refused
  return body
}

/** A body in pieces, of which each costs a hundred bytes beside its own: a sender may not choose how many. */
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

/** The body was refused already: that its sender breaks off is no news. */
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
