import type { Vendor } from '../vendor.ts'
import { findSourceModel, type SourceModel, type SourceProvider } from './price-source.ts'

/** The data's entry for a vendor's model; for a router's model, that of the serving provider. */
export function sourceModelOf(
  source: readonly SourceProvider[],
  { pricedBy, pricedByServer }: Pick<Vendor, 'pricedBy' | 'pricedByServer'>,
  model: string,
): SourceModel | undefined {
  const colon = model.lastIndexOf(':')
  if (pricedByServer !== undefined && colon !== -1) {
    return findSourceModel(source, pricedByServer + model.slice(colon + 1), model.slice(0, colon))
  }
  for (const provider of pricedBy) {
    const found = findSourceModel(source, provider, model)
    if (found !== undefined) return found
  }
  return undefined
}
