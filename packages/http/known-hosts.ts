import type { IncomingMessage } from 'node:http'
import { isLoopbackAddress, plainAddress } from '@turnpike/identity'
import { GatewayError, invalidRequest } from '@turnpike/protocol'

/** The host names that a node accepts. */
export interface HostRules {
  /** The gateway's address for callers, without a slash at the end. */
  publicUrl: string
  /** Further hosts, such as `gateway` (any port) or `gateway:8787`. */
  allowedHosts: readonly string[]
  /** It listens at all of the machine's addresses, and callers' addresses are not configured. */
  atAnyAddress: boolean
}

interface Host {
  /** In lower case; an IP address in its canonical form. */
  name: string
  isAddress: boolean
  /** Undefined: the scheme's default. */
  port: number | undefined
}

/** `name:port`, `name` or `[::1]:port`: no user, no path, no second host. */
const hostPattern = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{0,5}))?$/i
const longestShown = 100

/**
 * Refuses requests to unknown hosts. If a page's own name resolves to this machine (DNS rebinding), its
 * browser considers our responses same-origin, and only the `Host` header distinguishes it from our own
 * pages.
 */
export class KnownHosts {
  readonly #rules: HostRules
  readonly #ports: ReadonlySet<number>
  readonly #isLoopback: boolean
  readonly #defaultPort: number
  /** Hosts as clients write them, so that nearly every request needs a single look-up. */
  readonly #written = new Set<string>()
  /** Accepted hosts with their port. */
  readonly #authorities = new Set<string>()
  /** Accepted at any port. */
  readonly #names = new Set<string>()

  /** @param port the port that the server listens on */
  constructor(rules: HostRules, port: number) {
    this.#rules = rules
    const { protocol, host } = new URL(rules.publicUrl)
    this.#defaultPort = protocol === 'https:' ? 443 : 80
    const own = readHost(host)
    this.#isLoopback = own !== undefined && (isLoopback(own) || own.name.endsWith('.localhost'))
    this.#ports = new Set(this.#isLoopback ? [port, own?.port ?? this.#defaultPort] : [port])
    if (own !== undefined) this.#authorities.add(this.#authorityOf(own))
    for (const allowed of rules.allowedHosts.map(readHost)) {
      if (allowed === undefined) continue
      if (allowed.port === undefined) this.#names.add(allowed.name)
      else this.#authorities.add(this.#authorityOf(allowed))
    }
    for (const name of [
      host,
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `[::1]:${port}`,
      ...rules.allowedHosts,
    ])
      if (this.#admits(name, false)) this.#written.add(name)
  }

  /**
   * Why a request is refused; undefined if its host is accepted.
   * @param authority the authority of an absolute-form request target, if any
   * @param isWatch whether it only checks the node's state: monitoring addresses nodes by IP
   */
  refusalOf(
    request: IncomingMessage,
    authority: string | undefined,
    isWatch: boolean,
  ): GatewayError | undefined {
    const { host } = request.headers
    if (authority !== undefined && !this.#admits(authority, isWatch)) return misdirectedRequest(authority)
    if (host === undefined)
      // Only HTTP/1.0 may omit it (RFC 9112, section 3.2), and no browser uses that.
      return request.httpVersion === '1.0' ? undefined : invalidRequest('host', '`Host`: missing.')
    if (this.#written.has(host) || this.#admits(host, isWatch)) return undefined
    // Node joins several headers into a list.
    if (host.includes(',')) return invalidRequest('host', '`Host`: expected one header, found several.')
    return misdirectedRequest(host)
  }

  #admits(text: string, isWatch: boolean): boolean {
    const host = readHost(text)
    if (host === undefined) return false
    if (this.#names.has(host.name) || this.#authorities.has(this.#authorityOf(host))) return true
    if (isLoopback(host)) return this.#rules.atAnyAddress || this.#ports.has(host.port ?? this.#defaultPort)
    return host.isAddress && !this.#isLoopback && (isWatch || this.#rules.atAnyAddress)
  }

  #authorityOf({ name, port }: Host): string {
    return `${name} ${port ?? this.#defaultPort}`
  }
}

/** Undefined if it is not a host. A trailing dot is removed, since no known name has one. */
function readHost(text: string): Host | undefined {
  const [, inBrackets, bare, digits = ''] = hostPattern.exec(text) ?? []
  const written = inBrackets ?? bare
  if (written === undefined) return undefined
  const address = plainAddress(written)
  if (inBrackets !== undefined && address === undefined) return undefined
  const port = digits === '' ? undefined : Number(digits)
  const name = address ?? written.toLowerCase().replace(/\.$/, '')
  return { name, isAddress: address !== undefined, port }
}

function isLoopback({ name, isAddress }: Host): boolean {
  return isAddress ? isLoopbackAddress(name) : name === 'localhost'
}

function misdirectedRequest(host: string): GatewayError {
  const shown = host.slice(0, longestShown)
  const message =
    `\`Host\`: "${shown}" is not a host of this gateway. Expected the host of \`server.public_url\`, ` +
    'or one of `server.allowed_hosts`.'
  return new GatewayError('invalid_request_error', message, { status: 421, param: 'host' })
}
