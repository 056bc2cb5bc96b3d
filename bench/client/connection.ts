import { connect, type Socket } from 'node:net'

/** What a connection tells of the answer to its request. */
export interface AnswerListener {
  /** Whole server-sent events in what just came. */
  onEvents?(count: number): void
  /**
   * The answer is whole.
   * @param done whether its last event was `[DONE]`
   */
  onEnd(status: number, done: boolean): void
  /** The connection broke before the answer was whole. */
  onBroken(reason: string): void
}

const headEnd = Buffer.from('\r\n\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')
/** Each event has one, whatever its lines end with. */
const eventData = Buffer.from('data: ')
const doneEvent = Buffer.from('data: [DONE]')
/** Enough to hold the last event, the frame of its chunk, and the last chunk. */
const tailBytes = 32
const nothing = Buffer.alloc(0)

/**
 * A keep-alive connection of the load generator, on a bare socket: it reads of an answer its status and
 * where it ends, and nothing else, so that it costs a fraction of what it measures.
 */
export class LoadConnection {
  readonly #socket: Socket
  #listener: AnswerListener | undefined
  #status = 0
  #inHead = true
  #head: Buffer = nothing
  /** Bytes to come; undefined where the body is in chunks. */
  #left: number | undefined
  #tail: Buffer = nothing
  #closed = false

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (bytes: Buffer) => this.#read(bytes))
    this.#socket.on('error', (error) => this.#fail(error.message))
    this.#socket.on('close', () => this.#fail('closed'))
  }

  /** False once it cannot take another request. */
  get usable(): boolean {
    return !this.#closed
  }

  get busy(): boolean {
    return this.#listener !== undefined
  }

  /** Sends a request; one at a time. */
  send(request: Buffer, listener: AnswerListener): void {
    this.#listener = listener
    this.#inHead = true
    if (this.#closed) queueMicrotask(() => this.#fail('closed'))
    else this.#socket.write(request)
  }

  /** Leaves, whatever is under way; its listener hears no more. */
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

  /** What of the bytes is body. */
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
