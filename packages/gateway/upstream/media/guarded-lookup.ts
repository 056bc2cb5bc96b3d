import { Resolver, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** A host's name resolves to an address that is not allowed. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

const patience = { timeout: 2_000, tries: 2 }
/** RFC 6761, section 6.3: no name server is queried for it. */
const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * A look-up that checks the addresses which are then connected to: no second look-up between check and
 * connection can return something else. If any address of a name is not allowed, the name is rejected.
 * Queries the system's name servers directly: the system's own look-up would occupy one of the two threads
 * that all look-ups of the process share, so a caller whose name server is silent could prevent the gateway
 * from finding its vendors.
 * @param servers `address:port`; absent: the system's
 */
export function guardedLookup(
  allows: (address: string) => boolean,
  servers?: readonly string[],
): LookupFunction {
  let resolver: Resolver | undefined
  return (hostname, options, callback) => {
    resolver ??= resolverOf(servers)
    findAll(resolver, hostname, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => allows(address)))
        return callback(new AddressRefused(), [])
      if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

function resolverOf(servers: readonly string[] | undefined): Resolver {
  const resolver = new Resolver(patience)
  if (servers !== undefined) resolver.setServers(servers)
  return resolver
}

type Found = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

/** Finds addresses of both families, IPv4 first: not every network has IPv6. */
function findAll(resolver: Resolver, hostname: string, found: Found): void {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return found(null, loopback)
  const addresses: LookupAddress[] = []
  let failure: NodeJS.ErrnoException | null = null
  let toCome = 2
  const collect = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, some: string[] | undefined) => {
    for (const address of some ?? []) addresses.push({ address, family })
    // A missing record of this family is less informative than a real failure.
    if (error !== null && (failure === null || failure.code === 'ENODATA')) failure = error
    if (--toCome > 0) return
    addresses.sort((one, other) => one.family - other.family)
    found(addresses.length === 0 ? failure : null, addresses)
  }
  resolver.resolve4(name, collect(4))
  resolver.resolve6(name, collect(6))
}
