import type {
  UpstreamCall,
  UpstreamClient,
  UpstreamHeaders,
  UpstreamReceiver,
  UpstreamRequest,
} from './client.ts'

export interface CollectedAnswer {
  status: number
  headers: UpstreamHeaders
  body: string
}

/**
 * A call whose answer is small and taken in whole.
 * @param maxBytes a longer answer is a failure
 * @throws {Error} the call failed, or its answer is longer
 */
export function collected(
  client: UpstreamClient,
  request: UpstreamRequest,
  maxBytes: number,
): Promise<CollectedAnswer> {
  return new Promise((resolve, reject) => {
    client.send(request, new Collector(maxBytes, resolve, reject))
  })
}

class Collector implements UpstreamReceiver {
  readonly #maxBytes: number
  readonly #resolve: (answer: CollectedAnswer) => void
  readonly #reject: (error: Error) => void
  readonly #chunks: Buffer[] = []
  #call: UpstreamCall | undefined
  #bytes = 0
  #status = 0
  #headers: UpstreamHeaders = {}

  constructor(maxBytes: number, resolve: (answer: CollectedAnswer) => void, reject: (error: Error) => void) {
    this.#maxBytes = maxBytes
    this.#resolve = resolve
    this.#reject = reject
  }

  onCall(call: UpstreamCall): void {
    this.#call = call
  }

  onHead(status: number, headers: UpstreamHeaders): void {
    this.#status = status
    this.#headers = headers
  }

  onData(chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes <= this.#maxBytes) this.#chunks.push(chunk)
    else this.#call?.abort(new Error(`the answer is longer than ${this.#maxBytes} bytes`))
  }

  onEnd(): void {
    const body = Buffer.concat(this.#chunks).toString('utf8')
    this.#resolve({ status: this.#status, headers: this.#headers, body })
  }

  onError(error: Error): void {
    this.#reject(error)
  }
}
