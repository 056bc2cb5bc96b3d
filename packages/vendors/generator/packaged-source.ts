import { createRequire } from 'node:module'
import { findProvider } from '@pydantic/genai-prices'
import type { SourceProvider } from '../prices/price-source.ts'
import { readPriceSource } from '../prices/read-source.ts'
import type { LoadedVendor } from './vendor-files.ts'

/**
 * The price data from the dependency. Importing it costs 80 ms and 20 MB, so nothing does at run time:
 * generate.ts writes what is needed of it into data/.
 */

export const packagedSourceName = `@pydantic/genai-prices ${versionOf('@pydantic/genai-prices')}`

/** All providers of the data that price some vendor here. */
export function readPackagedSource(described: readonly LoadedVendor[]): SourceProvider[] {
  const priced = described.flatMap(({ vendor }) => vendor.pricedBy)
  const providers = [...new Set(priced), ...servers(described)]
  return readPriceSource(
    providers.map((providerId) => {
      const provider = findProvider({ providerId })
      if (provider === undefined) throw new Error(`the price data knows no provider "${providerId}"`)
      return provider
    }),
  )
}

function servers(described: readonly LoadedVendor[]): Set<string> {
  const found = new Set<string>()
  for (const { vendor, facts } of described) {
    const { pricedByServer } = vendor
    if (pricedByServer === undefined) continue
    for (const { models } of facts?.groups ?? []) {
      for (const id of Object.keys(models)) found.add(pricedByServer + id.slice(id.lastIndexOf(':') + 1))
    }
  }
  return found
}

function versionOf(name: string): string {
  const require = createRequire(import.meta.url)
  const entry = require.resolve(name)
  const manifest = require(`${entry.slice(0, entry.lastIndexOf(name) + name.length)}/package.json`)
  return (manifest as { version: string }).version
}
