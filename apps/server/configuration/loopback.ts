import { BlockList, isIPv4, isIPv6 } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether a host, as in `server.host` or in an address, can be reached from this machine alone. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (isIPv4(bare)) return loopback.check(bare, 'ipv4')
  if (isIPv6(bare)) return loopback.check(bare, 'ipv6')
  return bare === 'localhost' || bare.endsWith('.localhost')
}

export function isLoopbackUrl(address: string): boolean {
  return isLoopbackHost(new URL(address).hostname)
}
