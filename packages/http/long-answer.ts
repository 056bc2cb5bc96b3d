import type { Socket } from 'node:net'
import { frameChunk, waitFor, type Reader } from './chunk-writer.ts'

/** Whose answer it is. */
export interface AnswerOwner extends Reader {
  /** Its last byte is with the kernel, or its connection is gone. */
  onAnswerClosed(): void
}

const lastChunk = '0\r\n\r\n'

/** The rest of a streamed answer, written to a connection that is nobody else's. */
export class LongAnswer {
  readonly #socket: Socket
  readonly owner: AnswerOwner
  /** Whether its client may send another request behind it. */
  readonly keepsAlive: boolean
  readonly #onFinished: (socket: Socket) => void
  /** As a response has it: all of it was written, and taken by the kernel. */
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
   * @param latin1 one character a byte; not empty, which would be the end
   * @returns false where the client reads slower than we write
   */
  write(latin1: string): boolean {
    return this.#socket.write(frameChunk(latin1), 'latin1') || waitFor(this.#socket, this.owner)
  }

  end(bytes?: Buffer): void {
    const rest = bytes === undefined || bytes.length === 0 ? '' : frameChunk(bytes.toString('latin1'))
    this.#socket.write(rest + lastChunk, 'latin1', (error) => {
      // What went wrong ends the connection, which is told of then.
      if (error !== null && error !== undefined) return
      this.writableFinished = true
      this.#onFinished(this.#socket)
    })
  }

  destroy(): void {
    this.#socket.destroy()
  }
}
