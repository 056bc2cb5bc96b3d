import { request } from 'node:http'

const probeEveryMs = 100
/** Long, because even a late answer that a node is about to stop is useful. */
const probeTimeoutMs = 5_000

/** Tracks which nodes report at `/readyz` that they accept requests, as a load balancer does. */
export class Readiness {
  readonly #ports: readonly number[]
  readonly #ready = new Set<number>()
  /** By port: the number of the newest answered probe, so that a late answer of an older probe is ignored. */
  readonly #newest = new Map<number, number>()
  #probes = 0
  readonly #timer: NodeJS.Timeout

  constructor(ports: readonly number[]) {
    this.#ports = ports
    this.#timer = setInterval(() => this.#probeAll(), probeEveryMs)
    this.#probeAll()
  }

  /** Ports of the ready nodes, in the order given. */
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
    const number = this.#probes++
    const setReady = (ready: boolean): void => {
      if (number < (this.#newest.get(port) ?? 0)) return
      this.#newest.set(port, number)
      if (ready) this.#ready.add(port)
      else this.#ready.delete(port)
    }
    // Each probe uses a new connection: a kept one may lead to a process that has ended.
    const options = { host: '127.0.0.1', port, path: '/readyz', timeout: probeTimeoutMs, agent: false }
    const sent = request(options, (answer) => {
      answer.resume()
      setReady(answer.statusCode === 200)
    })
    // On a busy machine a slow answer means nothing; a node that has ended refuses the connection.
    sent.on('timeout', () => sent.destroy(new Slow()))
    sent.on('error', (error) => {
      if (!(error instanceof Slow)) setReady(false)
    })
    sent.end()
  }
}

class Slow extends Error {}
