import { existsSync, readFileSync, statSync } from 'node:fs'
import {
  InexactPrice,
  PriceFileError,
  findVendor,
  readPriceSource,
  readVendorData,
  reprice,
  type CatalogModel,
  type Provider,
  type SourceProvider,
  type Vendor,
  type VendorModel,
} from '@turnpike/vendors'
import type { ModelSources, ProviderOffer } from '../build-catalog.ts'
import type { ModelOverride } from '../configuration/configuration.ts'

export interface GatheredSources {
  sources: ModelSources
  /** Where the prices come from. */
  name: string
  /** The date of the prices: `2026-11-21`; `own` if no provider has a vendor's prices. */
  date: string
  /** Prices that could not be used, one sentence each. The packaged ones apply instead. */
  problems: string[]
}

/**
 * The models of all providers, with the prices of the price file if there is one, else with the packaged
 * prices.
 * @throws {PriceFileError} the file is invalid
 */
export function gatherSources(
  providers: readonly Provider[],
  {
    priceFile,
    ...rest
  }: {
    priceFile: string
    builtIn: readonly CatalogModel[]
    overrides: readonly ModelOverride[]
    markup: string
  },
): GatheredSources {
  const problems: string[] = []
  const newer = existsSync(priceFile) ? readPriceFile(priceFile) : undefined
  const offers: ProviderOffer[] = []
  let packaged: { source: string; date: string } | undefined
  for (const provider of providers) {
    const vendor = provider.vendor === undefined ? undefined : findVendor(provider.vendor)
    const data = vendor === undefined ? undefined : readVendorData(vendor.name)
    if (vendor === undefined || data === undefined) continue
    if (packaged === undefined || data.date > packaged.date) packaged = data
    const models =
      newer === undefined
        ? data.models
        : data.models.map((model) => withNewerPrices(model, { vendor, newer, problems }))
    offers.push({ provider, models })
  }
  const date = newer === undefined ? packaged?.date : dayOf(statSync(priceFile).mtimeMs)
  return {
    sources: { offers, ...rest },
    name: newer === undefined ? (packaged?.source ?? 'the configuration') : priceFile,
    date: date ?? 'own',
    problems,
  }
}

function withNewerPrices(
  model: VendorModel,
  { vendor, newer, problems }: { vendor: Vendor; newer: readonly SourceProvider[]; problems: string[] },
): VendorModel {
  try {
    return reprice(model, vendor, newer)
  } catch (error) {
    if (!(error instanceof InexactPrice)) throw error
    problems.push(`${vendor.name}/${model.id}: ${error.message}`)
    return model
  }
}

/** @throws {PriceFileError} */
function readPriceFile(path: string): SourceProvider[] {
  return parsePriceFile(readFileSync(path, 'utf8'), path)
}

/** @throws {PriceFileError} with the file's name and the place of the error */
export function parsePriceFile(text: string, name: string): SourceProvider[] {
  try {
    return readPriceSource(JSON.parse(text))
  } catch (error) {
    if (error instanceof PriceFileError || error instanceof SyntaxError)
      throw new PriceFileError(`${name}: ${error.message}`)
    throw error
  }
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}
