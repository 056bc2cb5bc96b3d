import { readdirSync } from 'node:fs'
import type { ReadFacts, VendorFacts } from '../facts/facts.ts'
import type { Vendor } from '../vendor.ts'

/*
 * The files of vendors/, as what is generated of them is made: a start reads generated-vendors.ts instead.
 */

/** What one file of vendors/ exports. */
interface VendorFile {
  vendor: Vendor
  /** Absent: its models are the operator's to name. */
  facts?: ReadFacts
}

/** A vendor with its own list of models. */
export interface LoadedVendor {
  vendor: Vendor
  facts: VendorFacts | undefined
}

const folder = new URL('../vendors/', import.meta.url)

/**
 * Every vendor there is, by its name.
 * @throws {Error} a file that exports none, or one of another name
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
