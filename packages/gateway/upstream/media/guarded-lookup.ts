import { Resolver, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** A host's name stands for an address that may not be connected to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

const patience = { timeout: 2_000, tries: 2 }
/** RFC 6761, section 6.3: asked of nobody. */
const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * A look-up whose answer is what is connected to: between the check and the connection there is no second one
 * that could say something else. A name stands for all of its addresses, so that one of them that is not
 * allowed is enough to refuse it.
 *
 * It asks the system's name servers itself. The system's own look-up would hold one of the two threads that
 * all look-ups of the process share until they answer: who has a name whose server is silent could keep the
 * gateway from finding its vendors.
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

/** Of both families, the older one first: not every network has the newer. */
function findAll(resolver: Resolver, hostname: string, found: Found): void {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return found(null, loopback)
  const addresses: LookupAddress[] = []
  let failure: NodeJS.ErrnoException | null = null
  let toCome = 2
  const collect = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, some: string[] | undefined) => {
    for (const address of some ?? []) addresses.push({ address, family })
    // That a name has none of this family says less than why it was not found.
    if (error !== null && (failure === null || failure.code === 'ENODATA')) failure = error
    if (--toCome > 0) return
    addresses.sort((one, other) => one.family - other.family)
    found(addresses.length === 0 ? failure : null, addresses)
  }
  resolver.resolve4(name, collect(4))
  resolver.resolve6(name, collect(6))
}
