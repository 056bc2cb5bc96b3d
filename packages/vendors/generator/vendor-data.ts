import { existsSync, readFileSync } from 'node:fs'
import type { VendorModel } from '../vendor-model.ts'

/** A file of data/, written by generate.ts. */
export interface VendorData {
  /** The source of the prices: `@pydantic/genai-prices 0.1.8`. */
  source: string
  /** When the prices were generated: `2026-11-21`. */
  date: string
  models: VendorModel[]
}

export function vendorDataFile(vendor: string): URL {
  return new URL(`../data/${vendor}.json`, import.meta.url)
}

/** Read once a provider of the vendor is configured: a start needs no others. Undefined: no models. */
export function readVendorData(vendor: string): VendorData | undefined {
  const file = vendorDataFile(vendor)
  if (!existsSync(file)) return undefined
  return JSON.parse(readFileSync(file, 'utf8')) as VendorData
}
