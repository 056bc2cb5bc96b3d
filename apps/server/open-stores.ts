import { join } from 'node:path'
import { compileOwnPricing, compilePricing, rateBoth } from '@turnpike/billing'
import { openStorage, type DatabaseOptions, type Storage } from '@turnpike/storage'
import type { Configuration } from './configuration/configuration.ts'

/**
 * Opens the stores of the configured database, which can recompute charges.
 * @param settings with `asItIs`, the schema must be up to date and is not changed
 */
export function openStores(
  configuration: Configuration,
  settings: { asItIs?: boolean } = {},
): Promise<Storage> {
  return openStorage(databaseOf(configuration), {
    ...settings,
    recompute: ({ usage, pricing, markup, isByok }) =>
      usage === null || pricing === null
        ? { chargePico: 0n, vendorCostPico: 0n }
        : rateBoth(
            usage,
            isByok === true ? compileOwnPricing(pricing, markup) : compilePricing(pricing, markup),
          ),
  })
}

/** The path of the embedded database. */
export function databasePath({ dataDir }: Configuration): string {
  return join(dataDir, 'turnpike.db')
}

function databaseOf(configuration: Configuration): DatabaseOptions {
  if (configuration.databaseUrl !== null) return { engine: 'postgres', url: configuration.databaseUrl }
  const path = databasePath(configuration)
  const { billing, databaseSocket: socketPath } = configuration
  return { engine: 'sqlite', path, durability: billing.durability, ...(socketPath && { socketPath }) }
}
