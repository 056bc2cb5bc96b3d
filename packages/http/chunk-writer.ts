import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'

/** Who is told that there is room again, after `write` said that there is none. */
export interface Reader {
  onDrain(): void
}

/**
 * The pieces of a streamed answer, each framed as a chunk (RFC 9112, section 7.1) and written in one go.
 * `ServerResponse.write` makes four writes of a piece, to be joined in the next tick, which costs as much as
 * all that is done to an event before.
 */
export class ChunkWriter {
  readonly #response: ServerResponse
  readonly #reader: Reader
  #headSent = false

  constructor(response: ServerResponse, reader: Reader) {
    this.#response = response
    this.#reader = reader
  }

  /**
   * @param latin1 one character a byte; not empty, which would be the end
   * @returns false where the client reads slower than we write
   */
  write(latin1: string): boolean {
    const response = this.#response
    const { socket } = response
    // Without a socket an earlier answer on this connection is still under way; HTTP/1.0 knows no chunks.
    if (socket === null || !response.chunkedEncoding)
      return response.write(latin1, 'latin1') || waitFor(response, this.#reader)
    const chunk = frameChunk(latin1)
    if (!this.#headSent) {
      this.#headSent = true
      socket.cork()
      response.flushHeaders()
      socket.write(chunk, 'latin1')
      socket.uncork()
      return true
    }
    return socket.write(chunk, 'latin1') || waitFor(socket, this.#reader)
  }
}

/** A chunk of these bytes, one character each. */
export function frameChunk(latin1: string): string {
  return `${latin1.length.toString(16)}\r\n${latin1}\r\n`
}

/** Few readers are ever slow: until then nobody listens. */
export function waitFor(stream: Writable, reader: Reader): false {
  stream.once('drain', () => reader.onDrain())
  return false
}
