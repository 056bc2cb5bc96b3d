import { request } from 'node:http'

const probeEveryMs = 100
const probeTimeoutMs = 1_000

/** Which of the nodes say at `/readyz` that they should be sent requests, as a load balancer knows it. */
export class Readiness {
  readonly #ports: readonly number[]
  readonly #ready = new Set<number>()
  readonly #timer: NodeJS.Timeout

  constructor(ports: readonly number[]) {
    this.#ports = ports
    this.#timer = setInterval(() => this.#probeAll(), probeEveryMs)
    this.#probeAll()
  }

  /** Their ports, in the order given. */
  get ready(): number[] {
    return this.#ports.filter((port) => this.#ready.has(port))
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #probeAll(): void {
    for (const port of this.#ports) this.#probe(port)
  }

  #probe(port: number): void {
    const off = (): void => void this.#ready.delete(port)
    const options = { host: '127.0.0.1', port, path: '/readyz', timeout: probeTimeoutMs }
    const sent = request(options, (answer) => {
      answer.resume()
      if (answer.statusCode === 200) this.#ready.add(port)
      else off()
    })
    // On a busy machine a slow answer says nothing; what is no longer there refuses the connection.
    sent.on('timeout', () => sent.destroy(new Slow()))
    sent.on('error', (error) => {
      if (!(error instanceof Slow)) off()
    })
    sent.end()
  }
}

class Slow extends Error {}
