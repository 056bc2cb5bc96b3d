import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'

/** Called when the client has caught up, after `write` returned false. */
export interface Reader {
  onDrain(): void
}

/**
 * Writes a streamed response, each piece framed as a chunk (RFC 9112, section 7.1) in a single write.
 * `ServerResponse.write` makes four writes of a piece, to be joined in the next tick, which costs as much as
 * all previous processing of an event.
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
   * @param latin1 one character per byte; not empty, since an empty chunk ends the response
   * @returns false if the client reads more slowly than we write
   */
  write(latin1: string): boolean {
    const response = this.#response
    const { socket } = response
    // Without a socket, an earlier response on this connection is still in progress; HTTP/1.0 has no chunks.
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

/** Frames these bytes, one character each, as a chunk. */
export function frameChunk(latin1: string): string {
  return `${latin1.length.toString(16)}\r\n${latin1}\r\n`
}

/** Listens only once a reader is slow, which is rare. */
export function waitFor(stream: Writable, reader: Reader): false {
  stream.once('drain', () => reader.onDrain())
  return false
}
