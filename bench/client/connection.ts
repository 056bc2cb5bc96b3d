import { connect, type Socket } from 'node:net'

/** Receives what a connection sees of the response. */
export interface AnswerListener {
  /** Number of complete server-sent events in the latest bytes. */
  onEvents?(count: number): void
  /**
   * The response is complete.
   * @param done whether its last event was `[DONE]`
   */
  onEnd(status: number, done: boolean): void
  /** The connection broke before the response was complete. */
  onBroken(reason: string): void
}

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')
/** Occurs once per event, whatever its line ends are. */
const eventData = Buffer.from('data: ')
const doneEvent = Buffer.from('data: [DONE]')
/** Enough for the last event, the frame of its chunk, and the last chunk. */
const tailBytes = 32
const nothing = Buffer.alloc(0)

/**
 * A keep-alive connection of the load generator on a bare socket. It reads only the status and the end of a
 * response, so that it costs a fraction of what it measures.
 */
export class LoadConnection {
  readonly #socket: Socket
  #listener: AnswerListener | undefined
  #status = 0
  #inHead = true
  #head: Buffer = nothing
  /** Remaining bytes of the body; undefined if it is chunked. */
  #left: number | undefined
  #tail: Buffer = nothing
  #closed = false

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (bytes: Buffer) => this.#read(bytes))
    this.#socket.on('error', (error) => this.#fail(error.message))
    this.#socket.on('close', () => this.#fail('closed'))
  }

  /** False once the connection cannot be reused. */
  get usable(): boolean {
    return !this.#closed
  }

  get busy(): boolean {
    return this.#listener !== undefined
  }

  /** Sends one request; the one before must be complete. */
  send(request: Buffer, listener: AnswerListener): void {
    this.#listener = listener
    this.#inHead = true
    if (this.#closed) queueMicrotask(() => this.#fail('closed'))
    else this.#socket.write(request)
  }

  /** Closes the connection, whatever is in progress; the listener gets no further calls. */
  abort(): void {
    this.#listener = undefined
    this.#closed = true
    this.#socket.destroy()
  }

  #fail(reason: string): void {
    this.#closed = true
    const listener = this.#listener
    this.#listener = undefined
    listener?.onBroken(reason)
  }

  #read(bytes: Buffer): void {
    if (this.#inHead) bytes = this.#readHead(bytes)
    if (this.#inHead || this.#listener === undefined) return
    if (this.#left !== undefined) {
      this.#left -= bytes.length
      if (this.#left <= 0) this.#end()
      return
    }
    if (this.#listener.onEvents !== undefined) this.#countEvents(bytes, this.#listener)
    const tail = bytes.length >= tailBytes ? bytes : Buffer.concat([this.#tail, bytes])
    this.#tail = tail.subarray(-tailBytes)
    if (this.#tail.subarray(-lastChunk.length).equals(lastChunk)) this.#end()
  }

  /** Returns the part of the bytes that belongs to the body. */
  #readHead(bytes: Buffer): Buffer {
    this.#head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes])
    const end = this.#head.indexOf(headEnd)
    if (end === -1) return nothing
    const text = this.#head.toString('latin1', 0, end)
    const body = this.#head.subarray(end + headEnd.length)
    this.#head = nothing
    this.#inHead = false
    this.#status = Number(text.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/iu.exec(text)?.[1]
    this.#left = length === undefined ? undefined : Number(length)
    this.#tail = nothing
    return body
  }

  #countEvents(bytes: Buffer, listener: AnswerListener): void {
    let count = 0
    for (let at = bytes.indexOf(eventData); at !== -1; at = bytes.indexOf(eventData, at + 6)) count++
    if (count > 0) listener.onEvents?.(count)
  }

  #end(): void {
    const listener = this.#listener
    this.#listener = undefined
    this.#inHead = true
    listener?.onEnd(this.#status, this.#tail.includes(doneEvent))
  }
}
