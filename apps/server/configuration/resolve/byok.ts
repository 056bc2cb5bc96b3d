import { multiplyDecimals } from '@turnpike/billing'
import { findVendor, type Provider } from '@turnpike/vendors'
import type { Configuration } from '../configuration.ts'
import { defaults } from '../defaults.ts'
import type { ConfigurationInput } from '../schema/schema.ts'

const percent = '0.01'

/** Resolves the vendor keys that accounts bring themselves. */
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

/**
 * Only providers at their vendor's own address. Another server would see the keys of every account that
 * brings one. The operator's own server needs no key, so any key would use it, and nobody would pay for its
 * work.
 */
function isAtItsVendors({ vendor: name, baseUrl, style, ownKeysOnly }: Provider): boolean {
  if (style === 'sandbox') return false
  if (ownKeysOnly === true) return true
  const vendor = name === undefined ? undefined : findVendor(name)
  return vendor !== undefined && vendor.paidFields !== 'none' && vendor.baseUrl === baseUrl
}
