import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

/** A server's response. Its body is still arriving, and can be read once. */
export class HttpAnswer {
  readonly status: number
  readonly body: Readable
  readonly #headers: IncomingHttpHeaders

  constructor(status: number, headers: IncomingHttpHeaders, body: Readable) {
    this.status = status
    this.body = body
    this.#headers = headers
    // The reader of the body gets a failure; without a reader it does not matter.
    body.on('error', () => undefined)
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  /** @param name in lower case */
  header(name: string): string | null {
    const value = this.#headers[name]
    return (Array.isArray(value) ? value[0] : value) ?? null
  }

  async text(): Promise<string> {
    const pieces: Buffer[] = []
    for await (const piece of this.body) pieces.push(piece as Buffer)
    return Buffer.concat(pieces).toString('utf8')
  }

  /** Ends the response without reading its body. */
  discard(): void {
    this.body.destroy()
  }
}
