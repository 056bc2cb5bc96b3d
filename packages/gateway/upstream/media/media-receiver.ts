import type { UpstreamCall, UpstreamHeaders, UpstreamReceiver } from '../client.ts'

export interface MediaAnswer {
  status: number
  headers: UpstreamHeaders
  /** Empty if the body was not requested. */
  bytes: Buffer
}

/** Watches an answer arrive; whatever it throws ends the answer. */
export interface MediaWatcher {
  wantsBody(status: number, headers: UpstreamHeaders): boolean
  /** The bytes of this chunk, and all bytes and chunks so far. */
  onBytes(added: number, bytes: number, pieces: number): void
}

/** Receives one answer of an untrusted server. */
export class MediaReceiver implements UpstreamReceiver {
  readonly #watcher: MediaWatcher
  readonly #answer = Promise.withResolvers<MediaAnswer>()
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #status = 0
  #headers: UpstreamHeaders = {}
  #call: UpstreamCall | undefined
  /** Why the rest of the answer is ignored. */
  #ended: Error | undefined

  constructor(watcher: MediaWatcher) {
    this.#watcher = watcher
  }

  get answer(): Promise<MediaAnswer> {
    return this.#answer.promise
  }

  fail(error: Error): void {
    this.#answer.reject(error)
    this.#end(error)
  }

  onCall(call: UpstreamCall): void {
    this.#call = call
    if (this.#ended !== undefined) call.abort(this.#ended)
  }

  onHead(status: number, headers: UpstreamHeaders): void {
    this.#status = status
    this.#headers = headers
    this.#watch(() => {
      if (this.#watcher.wantsBody(status, headers)) return
      this.onEnd()
      this.#end(new Error('the body is not wanted'))
    })
  }

  onData(chunk: Buffer): void {
    if (this.#ended !== undefined) return
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    this.#watch(() => this.#watcher.onBytes(chunk.length, this.#bytes, this.#chunks.length))
  }

  onEnd(): void {
    const bytes = Buffer.concat(this.#chunks, this.#bytes)
    this.#answer.resolve({ status: this.#status, headers: this.#headers, bytes })
  }

  onError(error: Error): void {
    this.#answer.reject(error)
  }

  #watch(look: () => void): void {
    try {
      look()
    } catch (error) {
      this.fail(error as Error)
    }
  }

  #end(reason: Error): void {
    this.#ended = reason
    this.#call?.abort(reason)
  }
}
