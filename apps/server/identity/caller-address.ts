import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import { plainAddress } from '@turnpike/identity'

/** `203.0.113.7:4711` and `[2001:db8::7]:4711`, as some proxies write the address with its port. */
const withPort = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/

/**
 * Reads the address that a request came from. Where the connection is a trusted proxy's, that is the last
 * address in `X-Forwarded-For` that is none: what stands before it, anybody may have written. A hop that is
 * no address tells nothing: the request is then the proxy's who passed it on.
 * @param trustedProxies addresses and ranges, as in `10.0.0.0/8`
 */
export function callerAddressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = new BlockList()
  for (const range of trustedProxies) {
    const [address = '', bits] = range.split('/')
    const family = familyOf(address)
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  return (request) => {
    const connected = request.socket.remoteAddress ?? ''
    let address = plainAddress(connected)
    if (address === undefined) return connected
    const hops = String(request.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((hop) => hop.trim())
      .filter((hop) => hop !== '')
    while (hops.length > 0 && trusted.check(address, familyOf(address))) {
      const hop = addressOf(hops.pop()!)
      if (hop === undefined) return address
      address = hop
    }
    return address
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

function addressOf(hop: string): string | undefined {
  const [, inBrackets, beforePort] = withPort.exec(hop) ?? []
  return plainAddress(inBrackets ?? beforePort ?? hop)
}
