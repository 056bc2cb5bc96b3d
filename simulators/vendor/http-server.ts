import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createSandboxVendor } from '../sandbox/vendor.ts'
import { Director, type CaseSource } from './director.ts'
import { playOverHttp } from './http-player.ts'
import type { Journal } from './journal.ts'
import { planPath, type PathPlan, type Plan } from './plan.ts'
import type { Vendor } from './script.ts'

// Importing it would make Node load its WebSocket as well, which takes 50 ms of a start.
const { createServer } = process.getBuiltinModule('node:http')

export interface VendorServerOptions {
  /** Answers requests without a plan. Default: the sandbox, which echoes for any model name. */
  vendor?: Vendor
  /** The recorded cases that plans may name. */
  cases?: CaseSource | undefined
  /** 0 for any free port. */
  port?: number
  journal?: Journal
}

/** Longer than any client's own timeout, so that a client never uses a connection that is just closing. */
const keepAliveTimeoutMs = 120_000

/** A vendor server on a loopback port. */
export class VendorServer {
  readonly director: Director
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #port: number

  constructor(options: VendorServerOptions = {}) {
    const vendor = options.vendor ?? createSandboxVendor({ otherModels: 'echo' })
    const { cases, journal } = options
    this.director = new Director(vendor, journal === undefined ? { cases } : { cases, journal })
    this.#port = options.port ?? 0
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => response.destroy(error as Error))
    })
    this.#server.keepAliveTimeout = keepAliveTimeoutMs
    this.#server.requestTimeout = 0
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  get journal(): Journal {
    return this.director.journal
  }

  /** `http://127.0.0.1:<port>` */
  get origin(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get openSockets(): number {
    return this.#sockets.size
  }

  /** A base URL whose requests are handled by this plan: `http://127.0.0.1:<port>/case/<id>/v1`. */
  baseUrl(plan: PathPlan = {}, version: string = '/v1'): string {
    return this.origin + planPath(plan) + version
  }

  /** Queues a plan for the next request that has none of its own. */
  next(plan: Plan): void {
    this.director.next(plan)
  }

  /** After `refuse`, listens on the same port again. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(this.#port, '127.0.0.1', () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Breaks open connections and refuses new ones. */
  async refuse(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  async close(): Promise<void> {
    if (this.#server.listening) await this.refuse()
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const performance = this.director.perform({
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: flatHeaders(request),
      body: Buffer.concat(pieces),
    })
    await playOverHttp(performance, response)
  }
}

/** Starts a vendor server; close it when done. */
export async function startVendorServer(options: VendorServerOptions = {}): Promise<VendorServer> {
  const server = new VendorServer(options)
  await server.listen()
  return server
}

function flatHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  return headers
}
