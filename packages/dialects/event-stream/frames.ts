import { crc32 } from 'node:zlib'

/*
 * AWS's event stream (https://smithy.io/2.0/aws/amazon-eventstream.html): frames of a length, headers, a
 * payload, and checksums. A frame's first twelve bytes are its length, that of its headers, and the checksum
 * of both, in network order.
 */

const preludeBytes = 12
const checkedBytes = 8
/** Of a frame without headers and payload: its prelude and its checksum. */
const leastFrameBytes = 16
/** Larger frames are refused, as events of a server-sent stream are. */
export const maxFrameBytes = 32 * 1024 * 1024

/** What came is no frame of AWS's event stream. */
export class BrokenFrame extends Error {
  override readonly name = 'BrokenFrame'
}

/**
 * Cuts a byte stream into whole frames. What a frame holds is not looked at, but for its length: that one is
 * checked as soon as it is there, so that nobody waits for bytes that no vendor sends.
 */
export class FrameCutter {
  readonly #onFrame: (frame: Buffer) => void
  /** Pieces of a frame that is not whole. */
  #pieces: Buffer[] = []
  #bytes = 0
  /** With so many the next step can be made: a length read, or a frame given out. */
  #wanted = preludeBytes

  /** @param onFrame whole ones, in order; good until it returns */
  constructor(onFrame: (frame: Buffer) => void) {
    this.#onFrame = onFrame
  }

  /** True where bytes of a frame are here that is not whole. */
  get isWithinFrame(): boolean {
    return this.#bytes > 0
  }

  /** @throws {BrokenFrame} a length that no frame has */
  push(chunk: Buffer): void {
    if (this.#bytes === 0) return this.#cutFrames(chunk)
    this.#pieces.push(chunk)
    this.#bytes += chunk.length
    // Joined only where that brings a step further: a byte at a time is no more work than all at once.
    if (this.#bytes >= this.#wanted) this.#cutFrames(Buffer.concat(this.#pieces, this.#bytes))
  }

  #cutFrames(bytes: Buffer): void {
    let at = 0
    let wanted = preludeBytes
    while (bytes.length - at >= preludeBytes) {
      const length = frameLength(bytes, at)
      if (bytes.length - at < length) {
        wanted = length
        break
      }
      this.#onFrame(bytes.subarray(at, at + length))
      at += length
    }
    this.#keep(at === 0 ? bytes : bytes.subarray(at), wanted)
  }

  /** What is left is copied: a slice would keep all that it was cut from while the stream is silent. */
  #keep(rest: Buffer, wanted: number): void {
    this.#pieces = rest.length === 0 ? [] : [Buffer.from(rest)]
    this.#bytes = rest.length
    this.#wanted = wanted
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
