import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What is wrong with the source of credentials. */
export type CloudFault =
  /** It accepts the request and never responds. */
  | 'silent'
  /** It closes the connection. */
  | 'reset'
  | 'status-500'
  /** It returns an HTML page, as a captive portal does. */
  | 'html'
  /** JSON with other types than the documented ones. */
  | 'wrong-types'
  | 'empty'
  /** It redirects to an address where no server listens. */
  | 'redirect'
  /** JSON of ten megabytes. */
  | 'huge'
  /** A response that never ends. */
  | 'endless'
  /** The credentials that it returns expired an hour ago. */
  | 'ended'

export interface CloudRequest {
  method: string
  /** Includes the query. */
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export interface CloudAnswer {
  status?: number
  type?: string
  headers?: Record<string, string>
  body: string
}

/** A cloud's server that issues credentials, on a loopback port. */
export class CloudServer {
  /** The requests that it received. */
  readonly requests: CloudRequest[] = []
  fault: CloudFault | undefined
  readonly #server: Server

  constructor(answer: (request: CloudRequest, fault: CloudFault | undefined) => CloudAnswer) {
    this.#server = createServer((incoming, response) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const { method = '', url = '', headers } = incoming
        const request = { method, path: url, headers, body: Buffer.concat(chunks).toString() }
        this.requests.push(request)
        if (this.fault === 'silent') return
        if (this.fault === 'reset') {
          incoming.socket.destroy()
          return
        }
        if (this.fault === 'endless') return endless(response)
        const { status = 200, type, headers: own, body } = faulty(this.fault) ?? answer(request, this.fault)
        response.writeHead(status, { 'content-type': type ?? 'application/json', ...own }).end(body)
      })
    })
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }
}

const wrongTypes = JSON.stringify({
  AccessKeyId: 7,
  SecretAccessKey: null,
  Token: [],
  Expiration: 'soon',
  access_token: { a: 1 },
  expires_in: 'x',
  expires_on: 'x',
})

function faulty(fault: CloudFault | undefined): CloudAnswer | undefined {
  if (fault === 'status-500') return { status: 500, type: 'text/plain', body: 'internal error' }
  if (fault === 'html')
    return { type: 'text/html', body: '<html><body>Sign in to this network</body></html>' }
  if (fault === 'wrong-types') return { body: wrongTypes }
  if (fault === 'empty') return { body: '' }
  if (fault === 'redirect') return { status: 302, headers: { location: 'http://127.0.0.1:9/' }, body: '' }
  if (fault === 'huge') return { body: JSON.stringify({ AccessKeyId: 'x'.repeat(10_000_000) }) }
  return undefined
}

const piece = Buffer.alloc(16_384, ' ')

/** Sends one piece at a time until the client closes the connection. */
function endless(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(piece), 20)
  response.on('close', () => clearInterval(timer))
}

const hourMs = 3_600_000

/** Expiry of the returned credentials, in Unix epoch milliseconds. */
export function endOf(fault: CloudFault | undefined): number {
  return Date.now() + (fault === 'ended' ? -hourMs : hourMs)
}
