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
 * Makes a call whose small answer is collected as a whole.
 * @param maxBytes a longer answer is an error, or is truncated there if the caller wants that
 * @throws {Error} if the call fails, or its answer is longer
 */
export function collectAnswer(
  client: UpstreamClient,
  request: UpstreamRequest,
  maxBytes: number,
  beyond: 'refuse' | 'cut' = 'refuse',
): Promise<CollectedAnswer> {
  return new Promise((resolve, reject) => {
    client.send(request, new Collector({ maxBytes, beyond }, resolve, reject))
  })
}

class Collector implements UpstreamReceiver {
  readonly #maxBytes: number
  readonly #beyond: 'refuse' | 'cut'
  readonly #resolve: (answer: CollectedAnswer) => void
  readonly #reject: (error: Error) => void
  readonly #chunks: Buffer[] = []
  #call: UpstreamCall | undefined
  #bytes = 0
  #status = 0
  #headers: UpstreamHeaders = {}

  constructor(
    { maxBytes, beyond }: { maxBytes: number; beyond: 'refuse' | 'cut' },
    resolve: (answer: CollectedAnswer) => void,
    reject: (error: Error) => void,
  ) {
    this.#maxBytes = maxBytes
    this.#beyond = beyond
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
    const over = this.#bytes - this.#maxBytes
    if (over <= 0) return void this.#chunks.push(chunk)
    if (this.#beyond === 'cut') {
      this.#chunks.push(chunk.subarray(0, Math.max(0, chunk.length - over)))
      this.onEnd()
    }
    this.#call?.abort(new Error(`the answer is longer than ${this.#maxBytes} bytes`))
  }

  onEnd(): void {
    const body = Buffer.concat(this.#chunks).toString('utf8')
    this.#resolve({ status: this.#status, headers: this.#headers, body })
  }

  onError(error: Error): void {
    this.#reject(error)
  }
}
