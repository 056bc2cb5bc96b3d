import { multiplyDecimals } from '@turnpike/billing'
import { findVendor, type Provider } from '@turnpike/vendors'
import type { Configuration } from './configuration.ts'
import { defaults } from './defaults.ts'
import type { ConfigurationInput } from './schema.ts'

const percent = '0.01'

/** Accounts' own keys of vendors. */
export function resolveByok(
  input: ConfigurationInput['byok'],
  providers: readonly Provider[],
): Configuration['byok'] {
  if (input === undefined) return null
  return {
    encryptionKeys: input.encryption_keys.map((key) => Buffer.from(key, 'base64')),
    fee: multiplyDecimals(input.fee_percent ?? defaults.byok.fee_percent, percent),
    providers: input.providers ?? providers.filter(isAtItsVendors).map(({ name }) => name),
  }
}

/** Whoever answers at another address would see the keys of all who bring some. */
function isAtItsVendors({ vendor, baseUrl, style, ownKeysOnly }: Provider): boolean {
  if (style === 'sandbox') return false
  return ownKeysOnly === true || (vendor !== undefined && findVendor(vendor)?.baseUrl === baseUrl)
}
