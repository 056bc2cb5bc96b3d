import type { Server } from 'node:http'
import { KnownHosts, respondError, type HostRules, type Metrics } from '@turnpike/http'

// With an `import`, Node would also load its WebSocket, which adds 50 ms to a start.
const { createServer } = process.getBuiltinModule('node:http')

/** A port that serves only `/metrics`, for scrapers within the network. */
export class MetricsListener {
  readonly #server: Server
  #hosts: KnownHosts | undefined

  constructor(metrics: Metrics) {
    this.#server = createServer(
      { joinDuplicateHeaders: true, requireHostHeader: false },
      (request, response) => {
        const refusal = this.#hosts?.refusalOf(request, undefined, true)
        if (refusal !== undefined) return respondError(response, refusal)
        if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
          response.writeHead(404).end()
          return
        }
        metrics
          .text()
          .then((text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text))
          .catch((error: unknown) => response.destroy(error as Error))
      },
    )
  }

  /** Rejects if the address is in use. */
  listen(host: string, port: number, hosts: HostRules): Promise<void> {
    this.#hosts = new KnownHosts(hosts, port)
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
