import type { VendorAddress } from './vendor.ts'

/** The parts of an address that an operator configures. */
export interface AddressParts {
  region?: string | undefined
  project?: string | undefined
  resource?: string | undefined
}

const placeholder = /\{(region|project|resource)\}/g

/**
 * The address of a vendor that has one per customer or per region; undefined if a part of it is missing.
 * @param parts already validated: they are inserted unchanged
 */
export function addressOf(addresses: readonly VendorAddress[], parts: AddressParts): string | undefined {
  const { region } = parts
  const found = addresses.find(
    ({ regions }) => regions === undefined || (region !== undefined && regions.test(region)),
  )
  if (found === undefined || missingParts(addresses, parts).length > 0) return undefined
  return found.url.replaceAll(placeholder, (_, name: keyof AddressParts) => parts[name]!)
}

/** The names of the address's parts that are missing. */
export function missingParts(
  addresses: readonly VendorAddress[],
  parts: AddressParts,
): (keyof AddressParts)[] {
  const names = partsOf(addresses)
  return names.filter((name) => parts[name] === undefined)
}

/** The names of the parts of the vendor's addresses, with the region if that selects among them. */
export function partsOf(addresses: readonly VendorAddress[]): (keyof AddressParts)[] {
  const names = new Set<keyof AddressParts>()
  for (const { url, regions } of addresses) {
    if (regions !== undefined) names.add('region')
    for (const [, name] of url.matchAll(placeholder)) names.add(name as keyof AddressParts)
  }
  return [...names]
}
