import ipaddr from 'ipaddr.js'

/** All of IPv6 that is allocated so far: https://www.iana.org/assignments/ipv6-address-space. */
const [globalUnicast, globalUnicastBits] = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * True for an address on the public internet: not private, local, shared or reserved, and not one that may
 * embed such an address (NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(globalUnicast, globalUnicastBits)
}
