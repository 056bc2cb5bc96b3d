import type { VendorAddress } from './vendor.ts'

/** What of an address is the operator's to say. */
export interface AddressParts {
  region?: string | undefined
  project?: string | undefined
  resource?: string | undefined
}

const placeholder = /\{(region|project|resource)\}/g

/**
 * Where a vendor is that has an address for each of its customers, or in each of its regions; undefined where
 * something is missing that it is made of.
 * @param parts checked before: they stand in the address as they are
 */
export function addressOf(addresses: readonly VendorAddress[], parts: AddressParts): string | undefined {
  const { region } = parts
  const found = addresses.find(
    ({ regions }) => regions === undefined || (region !== undefined && regions.test(region)),
  )
  if (found === undefined || missingParts(addresses, parts).length > 0) return undefined
  return found.url.replaceAll(placeholder, (_, name: keyof AddressParts) => parts[name]!)
}

/** The names of what its address is made of, and is not said. */
export function missingParts(
  addresses: readonly VendorAddress[],
  parts: AddressParts,
): (keyof AddressParts)[] {
  const names = partsOf(addresses)
  return names.filter((name) => parts[name] === undefined)
}

/** The names of what the vendor's addresses are made of; a region, where it chooses among them. */
export function partsOf(addresses: readonly VendorAddress[]): (keyof AddressParts)[] {
  const names = new Set<keyof AddressParts>()
  for (const { url, regions } of addresses) {
    if (regions !== undefined) names.add('region')
    for (const [, name] of url.matchAll(placeholder)) names.add(name as keyof AddressParts)
  }
  return [...names]
}
