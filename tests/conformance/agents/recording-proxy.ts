import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// Importing it would make Node load its WebSocket as well, which takes 50 ms of a start.
const { createServer } = process.getBuiltinModule('node:http')

export interface Exchange {
  method: string
  path: string
  headers: Record<string, string>
  body: string
  status: number
  answer: string
}

/** A proxy between an agent and the gateway that records both sides. */
export class RecordingProxy {
  readonly exchanges: Exchange[] = []
  readonly #server: Server

  private constructor(origin: string) {
    this.#server = createServer((request, response) => {
      this.#handle(origin, request, response).catch((error: unknown) => response.destroy(error as Error))
    })
  }

  /** @param origin of the gateway */
  static async listen(origin: string): Promise<RecordingProxy> {
    const proxy = new RecordingProxy(origin)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }

  async #handle(origin: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces)
    const { host: _host, connection: _connection, 'content-length': _length, ...given } = request.headers
    const headers = given as Record<string, string>
    const { method = 'GET', url: path = '/' } = request
    const init = method === 'GET' || method === 'HEAD' ? { method, headers } : { method, headers, body }
    const answered = await fetch(origin + path, init)
    const exchange = { method, path, headers, body: body.toString(), status: answered.status, answer: '' }
    this.exchanges.push(exchange)
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    const decoder = new TextDecoder()
    for await (const piece of answered.body ?? []) {
      exchange.answer += decoder.decode(piece, { stream: true })
      response.write(piece)
    }
    response.end()
  }
}
