import { crc32 } from 'node:zlib'

/*
 * AWS's event stream (https://smithy.io/2.0/aws/amazon-eventstream.html): frames of a length, headers, a
 * payload, and checksums. A frame's first twelve bytes are its length, the length of its headers, and the
 * checksum of both, in network byte order.
 */

const preludeBytes = 12
const checkedBytes = 8
/** The size of a frame without headers and payload: its prelude and its checksum. */
const leastFrameBytes = 16
/** Larger frames are refused, like events of a server-sent stream. */
export const maxFrameBytes = 32 * 1024 * 1024

/** The bytes are not a frame of AWS's event stream. */
export class BrokenFrame extends Error {
  override readonly name = 'BrokenFrame'
}

/**
 * Splits a byte stream into complete frames. Of a frame's contents only the length is checked, as soon as it
 * arrives, so that nothing waits for bytes that no vendor sends.
 */
export class FrameCutter {
  readonly #onFrame: (frame: Buffer) => void
  /** Pieces of an incomplete frame. */
  #pieces: Buffer[] = []
  #bytes = 0
  /** How many bytes the next step needs: to read a length, or to deliver a frame. */
  #neededBytes = preludeBytes

  /** @param onFrame gets complete frames, in order; each is valid until it returns */
  constructor(onFrame: (frame: Buffer) => void) {
    this.#onFrame = onFrame
  }

  /** True if an incomplete frame has begun. */
  get isWithinFrame(): boolean {
    return this.#bytes > 0
  }

  /** @throws {BrokenFrame} a length that no frame has */
  push(chunk: Buffer): void {
    if (this.#bytes === 0) return this.#cutFrames(chunk)
    this.#pieces.push(chunk)
    this.#bytes += chunk.length
    // Joins the pieces only once a step is complete: single bytes cost no more than one large chunk.
    if (this.#bytes >= this.#neededBytes) this.#cutFrames(Buffer.concat(this.#pieces, this.#bytes))
  }

  #cutFrames(bytes: Buffer): void {
    let at = 0
    let neededBytes = preludeBytes
    while (bytes.length - at >= preludeBytes) {
      const length = frameLength(bytes, at)
      if (bytes.length - at < length) {
        neededBytes = length
        break
      }
      this.#onFrame(bytes.subarray(at, at + length))
      at += length
    }
    this.#keep(at === 0 ? bytes : bytes.subarray(at), neededBytes)
  }

  /** Copies the rest: a slice would keep the whole chunk in memory while the stream is silent. */
  #keep(rest: Buffer, neededBytes: number): void {
    this.#pieces = rest.length === 0 ? [] : [Buffer.from(rest)]
    this.#bytes = rest.length
    this.#neededBytes = neededBytes
  }
}

function frameLength(bytes: Buffer, at: number): number {
  const length = bytes.readUInt32BE(at)
  const headers = bytes.readUInt32BE(at + 4)
  if (crc32(bytes.subarray(at, at + checkedBytes)) !== bytes.readUInt32BE(at + checkedBytes))
    throw new BrokenFrame('the checksum of a frame’s length is wrong')
  if (length < leastFrameBytes || headers > length - leastFrameBytes)
    throw new BrokenFrame(`a frame of ${length} bytes cannot hold ${headers} bytes of headers`)
  if (length > maxFrameBytes) throw new BrokenFrame(`a frame of ${length} bytes is too large`)
  return length
}
