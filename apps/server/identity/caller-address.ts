import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import { plainAddress } from '@turnpike/identity'

/** `203.0.113.7:4711` and `[2001:db8::7]:4711`: some proxies write the address with its port. */
const withPort = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/

/**
 * Reads the address that a request came from. If a trusted proxy opened the connection, this is the last
 * address in `X-Forwarded-For` that is not a trusted proxy's. Anybody may have written the addresses before
 * it. If a hop is not an address, the result is the address of the proxy that passed it on.
 * @param trustedProxies addresses and ranges such as `10.0.0.0/8`
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
