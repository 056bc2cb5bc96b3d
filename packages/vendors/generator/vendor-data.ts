import { existsSync, readFileSync } from 'node:fs'
import type { VendorModel } from '../vendor-model.ts'

/** A file of data/, written by generate.ts. */
export interface VendorData {
  /** Where the prices are from: `@pydantic/genai-prices 0.1.8`. */
  source: string
  /** The day on which they were taken over: `2026-11-21`. */
  date: string
  models: VendorModel[]
}

export function vendorDataFile(vendor: string): URL {
  return new URL(`../data/${vendor}.json`, import.meta.url)
}

/**
 * Read when a provider of the vendor is there, since a start needs none of the others; undefined: no models.
 */
export function readVendorData(vendor: string): VendorData | undefined {
  const file = vendorDataFile(vendor)
  if (!existsSync(file)) return undefined
  return JSON.parse(readFileSync(file, 'utf8')) as VendorData
}
