import ipaddr from 'ipaddr.js'

/** All of IPv6 that was given out so far: https://www.iana.org/assignments/ipv6-address-space. */
const [globalUnicast, globalUnicastBits] = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * True for an address of the public internet: no private, local, shared or reserved one, nor one that may
 * hide such an address in it (NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(globalUnicast, globalUnicastBits)
}
