import type { Reference, ReferencedValue, VendorFormat } from '@turnpike/dialects'
import { invalidRequest } from '@turnpike/protocol'
import type { Provider } from '@turnpike/vendors'
import { isPublicWebAddress } from '../upstream/media/public-host.ts'

/** The configuration value that allows every reference. */
const everything = '*'

/**
 * Rejects references that the operator does not allow for this provider.
 * @throws {GatewayError} 400 naming the first reference that is not allowed
 */
export function refuseReferences(
  { references, addresses }: ReferencedValue,
  { allowedReferences: allowed, isCallersAccount }: Pick<Provider, 'allowedReferences' | 'isCallersAccount'>,
  vendorFormat: Pick<VendorFormat, 'readsAddress'>,
): void {
  for (const reference of references)
    if (isCallersAccount !== true && !isAllowed(reference.value, allowed))
      throw refusal(
        reference,
        'files and other data stored at the vendor cannot be referenced here: send the data itself',
      )
  for (const reference of addresses) {
    const { value } = reference
    if (isPublicWebAddress(value) || isAllowed(value, allowed)) continue
    if (vendorFormat.readsAddress('image', value))
      throw refusal(reference, 'expected a URL on the public internet, or a data URL')
  }
}

function refusal({ param }: Reference, why: string): Error {
  return invalidRequest(param, `${param}: ${why}.`)
}

/** A prefix must end where a name ends: `gs://bucket` does not match `gs://bucket-2/x`. */
export function isAllowed(value: string, prefixes: readonly string[]): boolean {
  if (prefixes.length === 0) return false
  if (prefixes.includes(everything)) return true
  return isPlain(value) && prefixes.some((prefix) => beginsWith(value, prefix))
}

function beginsWith(value: string, prefix: string): boolean {
  if (!value.startsWith(prefix)) return false
  return value.length === prefix.length || /[/:_-]$/.test(prefix) || value[prefix.length] === '/'
}

/** Values that different parsers resolve to different places, so matching a prefix proves nothing. */
const ambiguous = /[\s\p{Cc}\\]|%(?:2e|2f|5c|25|0)|(?:^|[/:])\.{1,2}(?:[/?#]|$)|[^:]\/\/|^\/|:\/\/[^/?#]*@/iu

function isPlain(value: string): boolean {
  return value !== '' && !ambiguous.test(value)
}
