import { plainAddress } from '../../callers/internet-address.ts'

const groupsOfNetwork = 4
const groupsOfSite = 3
const groupsOfAddress = 8

/**
 * The network that attempts are counted by: an IPv4 address, or the /64 of an IPv6 address, within which a
 * household or machine may take any address. All spellings of an address count as the same.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  if (plain === undefined) return address
  return plain.includes(':') ? firstGroups(plain, groupsOfNetwork) : plain
}

/**
 * The /48 of an IPv6 address, which is what one customer usually gets: 65,536 networks. Undefined for an IPv4
 * address, since nobody has that many of those.
 */
export function siteOf(address: string): string | undefined {
  const plain = plainAddress(address)
  return plain?.includes(':') === true ? firstGroups(plain, groupsOfSite) : undefined
}

function firstGroups(plain: string, count: number): string {
  const [head = '', tail = ''] = plain.split('::', 2)
  const first = head === '' ? [] : head.split(':')
  const last = tail === '' ? [] : tail.split(':')
  const between = Array<string>(Math.max(0, groupsOfAddress - first.length - last.length)).fill('0')
  return [...first, ...between, ...last].slice(0, count).join(':')
}
