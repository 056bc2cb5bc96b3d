import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** A host's name stands for an address that may not be connected to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * The system's look-up, whose answer is what is connected to: between the check and the connection there is
 * no second look-up that could say something else. A name stands for all of its addresses, so that one of
 * them that is not allowed is enough to refuse it.
 */
export function guardedLookup(allows: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => allows(address)))
        return callback(new AddressRefused(), [])
      if (options.all === true) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
