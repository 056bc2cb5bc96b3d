import { request } from 'node:http'

const probeEveryMs = 100
/** That a node is about to stop is worth knowing late, too. */
const probeTimeoutMs = 5_000

/** Which of the nodes say at `/readyz` that they should be sent requests, as a load balancer knows it. */
export class Readiness {
  readonly #ports: readonly number[]
  readonly #ready = new Set<number>()
  /** By port: the newest probe that was answered, so that a late answer of an older one changes nothing. */
  readonly #newest = new Map<number, number>()
  #probes = 0
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
    const number = this.#probes++
    const heard = (ready: boolean): void => {
      if (number < (this.#newest.get(port) ?? 0)) return
      this.#newest.set(port, number)
      if (ready) this.#ready.add(port)
      else this.#ready.delete(port)
    }
    // A connection of its own each time: one that is kept may be to a process that has gone.
    const options = { host: '127.0.0.1', port, path: '/readyz', timeout: probeTimeoutMs, agent: false }
    const sent = request(options, (answer) => {
      answer.resume()
      heard(answer.statusCode === 200)
    })
    // On a busy machine a slow answer says nothing; what is no longer there refuses the connection.
    sent.on('timeout', () => sent.destroy(new Slow()))
    sent.on('error', (error) => {
      if (!(error instanceof Slow)) heard(false)
    })
    sent.end()
  }
}

class Slow extends Error {}
