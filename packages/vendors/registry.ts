import { vendors } from './generated-vendors.ts'
import type { Vendor } from './vendor.ts'

export { vendors }

const byName = new Map(vendors.map((vendor) => [vendor.name, vendor]))

export function findVendor(name: string): Vendor | undefined {
  return byName.get(name)
}
