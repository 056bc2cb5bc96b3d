import { BlockList, isIPv4, isIPv6 } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** An IPv4-mapped IPv6 address as the URL standard writes it: `::ffff:7f00:1`. */
const mappedPattern = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/**
 * The canonical form of an IP address: IPv6 in lower case, as short as possible (RFC 5952), without a zone;
 * an IPv4 address mapped into IPv6 as IPv4. Undefined if the text is not an address.
 */
export function plainAddress(text: string): string | undefined {
  const [bare = ''] = text.split('%', 1)
  if (isIPv4(bare)) return bare
  if (!isIPv6(bare)) return undefined
  const shortest = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const [, high, low] = mappedPattern.exec(shortest) ?? []
  if (high === undefined || low === undefined) return shortest
  const bytes = [high, low].flatMap((group) => {
    const bits = Number.parseInt(group, 16)
    return [bits >> 8, bits & 0xff]
  })
  return bytes.join('.')
}

/** Whether an address, in canonical form, is a loopback address. */
export function isLoopbackAddress(address: string): boolean {
  return loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}
