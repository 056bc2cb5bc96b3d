import { networkOf, siteOf } from './network.ts'
import { Throttle } from './throttle.ts'

export interface NetworkLimits {
  perNetwork: number
  /** Of IPv6 a customer has as many networks as they like: of all of theirs together. */
  perSite: number
  windowMs: number
}

/** Counts what is asked for by where who asks is, in the memory of this node. */
export class NetworkThrottle {
  readonly #networks: Throttle
  readonly #sites: Throttle

  constructor({ perNetwork, perSite, windowMs }: NetworkLimits, clock: () => number) {
    this.#networks = new Throttle(perNetwork, windowMs, clock)
    this.#sites = new Throttle(perSite, windowMs, clock)
  }

  /** Counts one. Answers 0 where it may go on, else the seconds until the next one may. */
  take(address: string): number {
    const site = siteOf(address)
    const waitSeconds = site === undefined ? 0 : this.#sites.take(site)
    return waitSeconds || this.#networks.take(networkOf(address))
  }
}
