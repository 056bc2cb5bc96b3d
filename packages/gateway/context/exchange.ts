/**
 * One request of a client and our answer to it, as the pipeline sees them: no socket, no Node object.
 * `packages/http` makes one of a `node:http` request; tests make one of nothing.
 */
export interface Exchange {
  /** `req_…`; sent as `x-request-id` with every answer. */
  readonly requestId: string
  readonly method: string
  /** Path without the query, as in `/v1/chat/completions`. */
  readonly path: string
  /** The query without its question mark; `''` for none. */
  readonly query: string
  /** When the request's head had arrived, Unix epoch milliseconds. */
  readonly startedAtMs: number
  /** The same instant on the monotonic clock of `performance.now()`. */
  readonly startedAtMonotonicMs: number
  /**
   * SHA-256 of the key that asks, where who it is was told by other means than its credential, within this
   * process; absent for whoever comes over the network.
   */
  readonly keyHash?: string

  /** A request header by its lower-case name; repeated ones are joined by `, `. */
  header(name: string): string | undefined

  /**
   * The whole body, once. Rejects with 413 over `maxBytes`, with 503 where there is no memory for it, with
   * 408 where the sender stalls, and with `client_closed_request` where it leaves.
   */
  readBody(maxBytes: number): Promise<Buffer>

  /**
   * The body holds so many values, which take room of their own once they are parsed.
   * @throws {GatewayError} 503 where there is no memory for them
   */
  keepValues(values: number): void

  /**
   * So many bytes were fetched for the request, and are kept as the body is.
   * @throws {GatewayError} 503 where there is no memory for them
   */
  keepFetched(bytes: number): void

  /** The values are in memory no longer. */
  releaseValues(): void

  /**
   * So many bytes of the body, or of what was fetched, are in memory no longer, in whatever form: others may
   * have the room.
   */
  releaseBody(bytes: number): void

  /** True once the client's connection is gone before our answer had ended. */
  readonly clientClosed: boolean

  /** Who is told of the client's leaving and of room in its buffer; one listener at a time. */
  listen(listener: ExchangeListener | undefined): void

  /** A whole answer. `x-request-id` is added. */
  respond(status: number, headers: Record<string, string>, body: string | Buffer): void

  /** The head of a streamed answer. */
  startStream(status: number, headers: Record<string, string>): void

  /**
   * More of a streamed answer, one character a byte; false where the client reads slower than we write: wait
   * for `onDrain`.
   */
  write(latin1: string): boolean

  /**
   * A streamed answer that has begun will go on for a while: what its connection needs for nothing but other
   * requests may go meanwhile.
   */
  lasts(): void

  /** The last bytes of a streamed answer. */
  endStream(bytes: Buffer | undefined): void

  /** Breaks the connection off in the middle of a streamed answer. */
  cut(): void
}

export interface ExchangeListener {
  onClientClosed(): void
  onDrain(): void
}
