import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readiness } from './readiness.ts'

/** Headers of the connection, not of the response. */
const ofConnection = ['connection', 'keep-alive', 'transfer-encoding']
/**
 * A minimal load balancer: distributes requests in turn to the nodes whose `/readyz` returns 200, over
 * keep-alive connections, and retries nothing.
 */
export class Balancer {
  readonly #readiness: Readiness
  readonly #agent = new Agent({ keepAlive: true })
  readonly #server = createServer((incoming, answer) => this.#serve(incoming, answer))
  #turn = 0
  /** How many requests each node got. */
  readonly served = new Map<number, number>()
  port = 0

  private constructor(ports: readonly number[]) {
    this.#readiness = new Readiness(ports)
  }

  static async start(ports: readonly number[]): Promise<Balancer> {
    const balancer = new Balancer(ports)
    balancer.#server.listen(0, '127.0.0.1')
    await once(balancer.#server, 'listening')
    balancer.port = (balancer.#server.address() as AddressInfo).port
    return balancer
  }

  isReady(port: number): boolean {
    return this.#readiness.ready.includes(port)
  }

  async close(): Promise<void> {
    this.#readiness.close()
    this.#agent.destroy()
    this.#server.closeAllConnections()
    const closed = once(this.#server, 'close')
    this.#server.close()
    await closed
  }

  #serve(incoming: IncomingMessage, answer: ServerResponse): void {
    const { ready } = this.#readiness
    const port = ready[this.#turn++ % ready.length]
    if (port === undefined) return void answer.writeHead(502).end('no node is ready')
    this.served.set(port, (this.served.get(port) ?? 0) + 1)
    const { method, url: path, headers } = incoming
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: this.#agent }, (got) => {
      const own = { ...got.headers }
      for (const name of ofConnection) delete own[name]
      answer.writeHead(got.statusCode ?? 502, own)
      got.pipe(answer)
      got.on('error', () => answer.destroy())
    })
    sent.on('error', (error) => {
      if (answer.headersSent) answer.destroy()
      else answer.writeHead(502).end(`a node failed: ${error.message}`)
    })
    answer.on('close', () => sent.destroy())
    incoming.pipe(sent)
  }
}
