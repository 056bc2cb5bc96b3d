import type { Registry } from 'prom-client'
import { registerGauge } from './register.ts'

export interface OwnKeySource {
  /** Own keys by the name of the key that sealed them. */
  readonly sealed: ReadonlyMap<string, number>
}

/** @param upkeep undefined if accounts have no own keys */
export function registerOwnKeyMetrics(registry: Registry, upkeep: OwnKeySource | undefined): void {
  registerGauge(
    registry,
    {
      name: 'turnpike_vendor_keys_sealed',
      help:
        "Accounts' own vendor keys in the database, by the name of their encryption key; the same " +
        'on every node. An encryption key at 0 can be removed from byok.encryption_keys.',
      labelNames: ['key_name'],
    },
    () => [...(upkeep?.sealed ?? [])].map(([name, count]) => [{ key_name: name }, count] as const),
  )
}
