import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'

/**
 * Reads the address that a request came from. Where the connection is a trusted proxy's, that is the last
 * address in `X-Forwarded-For` that is none: what stands before it, anybody may have written.
 * @param trustedProxies addresses and ranges, as in `10.0.0.0/8`
 */
export function callerAddressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = new BlockList()
  for (const range of trustedProxies) {
    const [address = '', bits] = range.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  const isTrusted = (address: string): boolean => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  return (request) => {
    const hops = String(request.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((hop) => plain(hop.trim()))
      .filter((hop) => hop !== '')
    let address = plain(request.socket.remoteAddress ?? '')
    while (isTrusted(address) && hops.length > 0) address = hops.pop()!
    return address
  }
}

/** An IPv4 address that came in over an IPv6 socket is written as one. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
}
