import { networkOf, siteOf } from './network.ts'
import { Throttle } from './throttle.ts'

export interface NetworkLimits {
  perNetwork: number
  /** For all networks of one customer: with IPv6, a customer has as many as they like. */
  perSite: number
  windowMs: number
}

/** Limits requests by the network that they come from, in this node's memory. */
export class NetworkThrottle {
  readonly #networks: Throttle
  readonly #sites: Throttle

  constructor({ perNetwork, perSite, windowMs }: NetworkLimits, clock: () => number) {
    this.#networks = new Throttle(perNetwork, windowMs, clock)
    this.#sites = new Throttle(perSite, windowMs, clock)
  }

  /** Counts one request. Returns 0 if it is allowed, else the seconds until the next one is. */
  take(address: string): number {
    const site = siteOf(address)
    const waitSeconds = site === undefined ? 0 : this.#sites.take(site)
    return waitSeconds || this.#networks.take(networkOf(address))
  }
}
