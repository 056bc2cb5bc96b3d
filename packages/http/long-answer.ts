import type { Socket } from 'node:net'
import { frameChunk, waitFor, type Reader } from './chunk-writer.ts'

/** The owner of a long-running response. */
export interface AnswerOwner extends Reader {
  /** The last byte is with the kernel, or the connection is gone. */
  onAnswerClosed(): void
}

const lastChunk = '0\r\n\r\n'

/** The rest of a streamed response, written to a connection that is detached from `node:http`. */
export class LongAnswer {
  readonly #socket: Socket
  readonly owner: AnswerOwner
  /** Whether the client may send another request on this connection. */
  readonly keepsAlive: boolean
  readonly #onFinished: (socket: Socket) => void
  /** As for a response: everything was written and accepted by the kernel. */
  writableFinished = false

  constructor(
    socket: Socket,
    options: { owner: AnswerOwner; keepsAlive: boolean; onFinished: (socket: Socket) => void },
  ) {
    this.#socket = socket
    this.owner = options.owner
    this.keepsAlive = options.keepsAlive
    this.#onFinished = options.onFinished
  }

  get writableLength(): number {
    return this.#socket.writableLength
  }

  /**
   * @param latin1 one character per byte; not empty, since an empty chunk ends the response
   * @returns false if the client reads more slowly than we write
   */
  write(latin1: string): boolean {
    return this.#socket.write(frameChunk(latin1), 'latin1') || waitFor(this.#socket, this.owner)
  }

  end(bytes?: Buffer): void {
    const rest = bytes === undefined || bytes.length === 0 ? '' : frameChunk(bytes.toString('latin1'))
    this.#socket.write(rest + lastChunk, 'latin1', (error) => {
      // A failed write ends the connection, which is reported separately.
      if (error !== null && error !== undefined) return
      this.writableFinished = true
      this.#onFinished(this.#socket)
    })
  }

  destroy(): void {
    this.#socket.destroy()
  }
}
