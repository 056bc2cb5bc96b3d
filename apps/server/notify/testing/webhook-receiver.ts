import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export interface Received {
  id: string
  headers: IncomingHttpHeaders
  body: string
}

interface ReceiverAnswer {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** An account's receiver: accepts webhooks on the loopback address, and keeps the requests. */
export class WebhookReceiver {
  readonly received: Received[] = []
  /** `silent`: accepts the request and never responds. */
  answer: ReceiverAnswer | 'silent' = { status: 200, body: 'ok' }
  readonly #server: Server
  #port = 0

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { headers } = request
        this.received.push({
          id: String(headers['webhook-id']),
          headers,
          body: Buffer.concat(chunks).toString(),
        })
        if (this.answer === 'silent') return
        const { status, headers: own = {}, body = '' } = this.answer
        response.writeHead(status, own).end(body)
      })
    })
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hooks?token=of-the-receiver`
  }

  /** Listens on the same port each time. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }
}

/** Whether the signature was made with this secret, at whatever time, by the standard's own library. */
export function isSignedBy(secret: string, { id, headers, body }: Received): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  const expected = new Webhook(secret).sign(id, at, body)
  return String(headers['webhook-signature']).split(' ').includes(expected)
}
