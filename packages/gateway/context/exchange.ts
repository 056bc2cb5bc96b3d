/**
 * One request of a client and the response to it, as the pipeline sees them, without sockets or Node objects.
 * `packages/http` makes one from a `node:http` request; tests make one without a connection.
 */
export interface Exchange {
  /** `req_…`; sent as `x-request-id` with every response. */
  readonly requestId: string
  readonly method: string
  /** Path without the query, as in `/v1/chat/completions`. */
  readonly path: string
  /** The query without its question mark; `''` for none. */
  readonly query: string
  /** When the request's head had arrived, in Unix epoch milliseconds. */
  readonly startedAtMs: number
  /** The same instant on the monotonic clock of `performance.now()`. */
  readonly startedAtMonotonicMs: number
  /** SHA-256 of the API key if this process has authenticated the caller itself; absent for the network. */
  readonly keyHash?: string

  /** A request header by its lower-case name; repeated ones are joined by `, `. */
  header(name: string): string | undefined

  /**
   * Reads the whole body, once. Returns no promise if all of it has arrived.
   * @throws {GatewayError} 413 if it exceeds `maxBytes`, 503 if there is no memory for it, 408 if the sender
   * stalls, and `client_closed_request` if the client leaves
   */
  readBody(maxBytes: number): Buffer | Promise<Buffer>

  /**
   * Reserves memory for the values that the body holds once it is parsed.
   * @throws {GatewayError} 503 if there is no memory for them
   */
  keepValues(values: number): void

  /**
   * Reserves memory for bytes that were fetched for the request, as for the body.
   * @throws {GatewayError} 503 if there is no memory for them
   */
  keepFetched(bytes: number): void

  /** Releases the memory of the parsed values. */
  releaseValues(): void

  /** Releases this many bytes of the body, or of what was fetched, in whatever form they were held. */
  releaseBody(bytes: number): void

  /** True if the client's connection closed before the response had ended. */
  readonly clientClosed: boolean

  /** Sets the one listener for the client's departure and for room in its buffer. */
  listen(listener: ExchangeListener | undefined): void

  /** Sends a whole response. Adds `x-request-id`. */
  respond(status: number, headers: Record<string, string>, body: string | Buffer): void

  /** Sends the head of a streamed response. */
  startStream(status: number, headers: Record<string, string>): void

  /** More of a streamed response, one character a byte; false if the client is slow: wait for `onDrain`. */
  write(latin1: string): boolean

  /** The stream will go on for a while: the connection may release what only further requests need. */
  lasts(): void

  /** Sends the last bytes of a streamed response. */
  endStream(bytes: Buffer | undefined): void

  /** Breaks the connection off in the middle of a streamed response. */
  cut(): void
}

export interface ExchangeListener {
  onClientClosed(): void
  onDrain(): void
}
