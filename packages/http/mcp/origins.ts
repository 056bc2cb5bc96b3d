import { isLoopbackAddress, plainAddress } from '@turnpike/identity'

/**
 * Which web pages may call the MCP server. A page whose own name was made to lead to this machine (DNS
 * rebinding) tells its own origin all the same.
 */
export class AllowedOrigins {
  readonly #allowed: ReadonlySet<string>
  readonly #isLoopback: boolean

  /**
   * @param own addresses of the gateway, of which the origins count
   * @param further origins as browsers write them; one that stands for all stands for none here
   */
  constructor(own: readonly string[], further: readonly string[]) {
    this.#allowed = new Set([...own.map((address) => new URL(address).origin), ...further])
    this.#isLoopback = own.every((address) => isLoopback(new URL(address)))
  }

  /** A gateway on one's own machine is there for the programs of that machine, at any port. */
  includes(origin: string): boolean {
    if (this.#allowed.has(origin)) return true
    return this.#isLoopback && URL.canParse(origin) && isLoopback(new URL(origin))
  }
}

function isLoopback({ protocol, hostname }: URL): boolean {
  if (protocol !== 'http:' && protocol !== 'https:') return false
  const address = plainAddress(hostname.replace(/^\[|\]$/g, ''))
  return address === undefined ? hostname === 'localhost' : isLoopbackAddress(address)
}
