import { isLoopbackAddress, plainAddress } from '@turnpike/identity'

/** Whether a host, as in `server.host` or in a URL, can be reached from this machine only. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  const address = plainAddress(bare)
  if (address !== undefined) return isLoopbackAddress(address)
  return bare === 'localhost' || bare.endsWith('.localhost')
}

export function isLoopbackUrl(address: string): boolean {
  return isLoopbackHost(new URL(address).hostname)
}
