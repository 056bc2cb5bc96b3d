import { operationOf, treatmentOf, vendorFormats, type CallerFormat } from '@turnpike/dialects'
import type { OperationRequest } from '@turnpike/protocol'
import type { Provider } from '@turnpike/vendors'

/** The service tier that the vendor will see; undefined for none, or if its format cannot express one. */
export function tierAsked(
  { extensions }: OperationRequest,
  format: Pick<CallerFormat, 'operation'>,
  provider: Provider,
): string | undefined {
  const { service_tier: tier } = extensions
  if (typeof tier !== 'string') return undefined
  const { fields } = operationOf(vendorFormats[provider.format], format.operation)
  return treatmentOf('service_tier', fields) === 'dropped' ? undefined : tier
}

/** By provider: the fields that request searches. */
const searchFields = new WeakMap<Provider, readonly string[]>()

/** Whether a field of the request asks for searches that a price may cover. */
export function asksForSearches(extensions: OperationRequest['extensions'], provider: Provider): boolean {
  let fields = searchFields.get(provider)
  if (fields === undefined) {
    fields = provider.paidFields
      .filter(({ chargedBy }) => chargedBy === 'web_search')
      .map(({ field }) => field)
    searchFields.set(provider, fields)
  }
  for (const field of fields) if ((extensions[field] ?? null) !== null) return true
  return false
}
