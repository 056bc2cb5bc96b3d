import type { ServerResponse } from 'node:http'

/**
 * The pieces of a streamed answer, each framed as a chunk (RFC 9112, section 7.1) and written in one go.
 * `ServerResponse.write` makes four writes of a piece, to be joined in the next tick, which costs as much as
 * all that is done to an event before.
 */
export class ChunkWriter {
  readonly #response: ServerResponse
  readonly #onDrain: () => void
  #headSent = false

  /** @param onDrain told that there is room again, after `write` said that there is none */
  constructor(response: ServerResponse, onDrain: () => void) {
    this.#response = response
    this.#onDrain = onDrain
    response.on('drain', onDrain)
  }

  /**
   * @param latin1 one character a byte; not empty, which would be the end
   * @returns false where the client reads slower than we write
   */
  write(latin1: string): boolean {
    const response = this.#response
    const { socket } = response
    // Without a socket an earlier answer on this connection is still under way; HTTP/1.0 knows no chunks.
    if (socket === null || !response.chunkedEncoding) return response.write(latin1, 'latin1')
    const chunk = `${latin1.length.toString(16)}\r\n${latin1}\r\n`
    if (!this.#headSent) {
      this.#headSent = true
      socket.cork()
      response.flushHeaders()
      socket.write(chunk, 'latin1')
      socket.uncork()
      return true
    }
    if (socket.write(chunk, 'latin1')) return true
    socket.once('drain', this.#onDrain)
    return false
  }
}
