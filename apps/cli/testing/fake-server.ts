import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** The response of a path: a status and JSON, or a function. */
export type Answer =
  | { status?: number; body?: unknown; headers?: Record<string, string> }
  | ((request: IncomingMessage, response: ServerResponse) => void)

export interface Seen {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/**
 * A scripted gateway, for responses that a real one cannot be made to give. Answers are by `METHOD /path`; a
 * list is used one by one, the last for ever.
 */
export class FakeServer {
  readonly seen: Seen[] = []
  readonly answers: Record<string, Answer | Answer[]>
  readonly #server
  readonly #scheme

  private constructor(answers: Record<string, Answer | Answer[]>, tls?: { key: string; cert: string }) {
    this.answers = answers
    const listener: RequestListener = (request, response) => void this.#serve(request, response)
    this.#server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
    this.#scheme = tls === undefined ? 'http' : 'https'
  }

  static async start(
    answers: Record<string, Answer | Answer[]> = {},
    tls?: { key: string; cert: string },
  ): Promise<FakeServer> {
    const server = new FakeServer(answers, tls)
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    return server
  }

  get origin(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    let body = ''
    for await (const piece of request) body += String(piece)
    const path = url.split('?')[0]!
    this.seen.push({ method, path: url, headers, body })
    const found = this.answers[`${method} ${path}`]
    const answer = Array.isArray(found) ? (found.length > 1 ? found.shift() : found[0]) : found
    if (typeof answer === 'function') {
      answer(request, response)
      return
    }
    const { status = 200, body: json, headers: own } = answer ?? notFound
    response.writeHead(status, { 'content-type': 'application/json', ...own })
    response.end(typeof json === 'string' ? json : JSON.stringify(json ?? {}))
  }
}

const notFound = apiError(404, 'not_found_error')

/** An error in the API's envelope (docs/contract.md, 2). */
export function apiError(status: number, type: string, headers: Record<string, string> = {}) {
  const message = `A ${type} for a test.`
  return {
    status,
    headers,
    body: { error: { message, type, code: status, param: null, request_id: 'req_x' } },
  }
}

/** A scripted sign-in; the test adds `POST /token`. */
export function deviceFlow(origin: () => string, device: object = {}): Record<string, Answer> {
  return {
    'GET /api/v1/auth/discovery': (_request, response) =>
      response.end(
        JSON.stringify({
          issuer: origin(),
          client_id: 'cli of a test',
          device_authorization_endpoint: `${origin()}/device`,
          token_endpoint: `${origin()}/token`,
          scopes: ['openid', 'offline_access'],
          resource: 'https://gateway.test',
        }),
      ),
    'POST /device': {
      body: {
        device_code: 'device code',
        user_code: 'ABCD-EFGH',
        verification_uri: 'http://127.0.0.1:1/device',
        interval: 0.05,
        expires_in: 30,
        ...device,
      },
    },
    'GET /api/v1/me': { body: account },
  }
}

export const account = {
  id: 'acct_1',
  display_name: 'Ada',
  email: 'ada@example.com',
  email_verified: true,
  balance_usd: '12.5',
  unassigned_usd: '0',
  status: 'active',
  tier: 'free',
  created_at: 1_773_144_000,
}

/** The content of `credentials.json` after a login. */
export function credentials(origin: string, changes: object = {}): string {
  const entry = {
    issuer: origin,
    client_id: 'cli of a test',
    token_endpoint: `${origin}/token`,
    access_token: 'token-0',
    refresh_token: 'refresh-0',
    expires_at: Math.floor(Date.now() / 1000) + 3_600,
    account: { id: 'acct_1', email: 'ada@example.com' },
    ...changes,
  }
  return JSON.stringify({ version: 1, servers: { [origin]: entry } })
}
