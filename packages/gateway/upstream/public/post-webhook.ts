import ipaddr from 'ipaddr.js'
import { headerText, type UpstreamRequest } from '../client.ts'
import { isPublicAddress } from '../media/public-address.ts'
import { requirePublic, sendPublic, type PublicRules } from './public-request.ts'

export interface WebhookAnswer {
  status: number
  retryAfter: string | undefined
  /** The beginning of the body. */
  body: string
}

const maxBytes = 1_024
const usualTimeouts: UpstreamRequest['timeouts'] = {
  connectMs: 5_000,
  firstByteMs: 15_000,
  idleMs: 15_000,
  totalMs: 15_000,
}
const leastFreePort = 1_024
const usualPorts = ['', '80', '443']

/** Calls webhook receivers: over https on the internet, and also over http in the operator's networks. */
export class WebhookClient {
  readonly #networks: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][]
  readonly #timeouts: UpstreamRequest['timeouts']
  readonly #nameServers: Pick<PublicRules, 'nameServers'>

  /**
   * @param networks addresses and CIDR ranges that are allowed besides public ones
   * @param options.nameServers `address:port`; absent: the system's
   */
  constructor(
    networks: readonly string[],
    {
      timeouts = usualTimeouts,
      nameServers,
    }: { timeouts?: UpstreamRequest['timeouts']; nameServers?: readonly string[] } = {},
  ) {
    this.#timeouts = timeouts
    this.#nameServers = nameServers === undefined ? {} : { nameServers }
    this.#networks = networks.map((network) =>
      network.includes('/') ? ipaddr.parseCIDR(network) : wholeOf(ipaddr.parse(network)),
    )
  }

  /** @throws {Error} if it may not be called; the message reveals nothing about the network behind us */
  async check(url: string): Promise<void> {
    requireForm(url, this.#networks.length > 0)
    await requirePublic(url, this.#rulesFor(url))
  }

  /** @throws {Error} if it may not be called, or did not respond */
  async post(url: string, headers: Record<string, string>, body: string): Promise<WebhookAnswer> {
    const request = {
      method: 'POST',
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'turnpike/0.1', ...headers },
      body: Buffer.from(body),
      timeouts: this.#timeouts,
      maxBytes,
      beyond: 'cut',
    } as const
    const answer = await sendPublic(url, request, this.#rulesFor(url))
    return { status: answer.status, retryAfter: headerText(answer.headers['retry-after']), body: answer.body }
  }

  #rulesFor(url: string): PublicRules {
    const isPlain = URL.parse(url)?.protocol === 'http:'
    const mayBePlain = isPlain && this.#networks.length > 0
    return {
      ...this.#nameServers,
      protocols: mayBePlain ? ['http:'] : ['https:'],
      allowsPort: isAllowedPort,
      allowsAddress: (address) => this.#isOwn(address) || (!isPlain && isPublicAddress(address)),
    }
  }

  #isOwn(address: string): boolean {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return this.#networks.some(
      ([network, bits]) => network.kind() === parsed.kind() && parsed.match([network, bits] as never),
    )
  }
}

/**
 * Checks what the address itself shows, before it is looked up.
 * @throws {Error}
 */
function requireForm(address: string, mayBePlain: boolean): void {
  const url = URL.parse(address)
  if (url === null) throw new Error('it is not a URL')
  const protocols = mayBePlain ? ['https:', 'http:'] : ['https:']
  if (!protocols.includes(url.protocol)) throw new Error('it is not https')
  if (url.username + url.password !== '') throw new Error('it contains a user name or password')
  if (!isAllowedPort(url.port)) throw new Error(`its port must be 443, 80, or ${leastFreePort} and above`)
}

function isAllowedPort(port: string): boolean {
  return usualPorts.includes(port) || Number(port) >= leastFreePort
}

/** A single address as a range. */
function wholeOf(address: ipaddr.IPv4 | ipaddr.IPv6): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
