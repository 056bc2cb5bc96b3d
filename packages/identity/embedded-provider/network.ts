import { isIPv6 } from 'node:net'

/**
 * What attempts are counted by: an IPv4 address, or the /64 of an IPv6 one, within which one household or
 * machine may take any address.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [bare] = address.split('%', 1)
  if (bare === undefined || !isIPv6(bare)) return address
  const [head = '', tail] = bare.split('::', 2)
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined
      ? first
      : [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last]
  return groups.slice(0, 4).join(':')
}
