import { isLoopbackAddress, plainAddress } from '@turnpike/identity'

/**
 * The web pages that may call the MCP server. Even a page whose own name resolves to this machine (DNS
 * rebinding) sends its own origin.
 */
export class AllowedOrigins {
  readonly #allowed: ReadonlySet<string>
  readonly #isLoopback: boolean

  /**
   * @param own addresses of the gateway, whose origins are allowed
   * @param further origins as browsers write them; the wildcard `*` allows none here
   */
  constructor(own: readonly string[], further: readonly string[]) {
    this.#allowed = new Set([...own.map((address) => new URL(address).origin), ...further])
    this.#isLoopback = own.every((address) => isLoopback(new URL(address)))
  }

  /** A gateway on loopback allows pages from loopback at any port. */
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
