import { readdirSync } from 'node:fs'
import type { ReadFacts, VendorFacts } from '../facts/facts.ts'
import type { Vendor } from '../vendor.ts'

/** Loads the files of vendors/ for the generator; a start reads generated-vendors.ts instead. */

/** The exports of a file in vendors/. */
interface VendorFile {
  vendor: Vendor
  /** Absent if the operator names its models. */
  facts?: ReadFacts
}

/** A vendor with its own list of models. */
export interface LoadedVendor {
  vendor: Vendor
  facts: VendorFacts | undefined
}

const folder = new URL('../vendors/', import.meta.url)

/**
 * All vendors, by name.
 * @throws {Error} if a file exports no vendor, or one with another name
 */
export async function loadVendors(): Promise<LoadedVendor[]> {
  const files = readdirSync(folder).toSorted()
  return Promise.all(files.map(loadVendor))
}

async function loadVendor(file: string): Promise<LoadedVendor> {
  const { vendor, facts } = (await import(new URL(file, folder).href)) as Partial<VendorFile>
  if (vendor === undefined) throw new Error(`vendors/${file} exports no "vendor"`)
  if (`${vendor.name}.ts` !== file) throw new Error(`vendors/${file} is of "${vendor.name}": name them alike`)
  return { vendor, facts: await facts?.() }
}
