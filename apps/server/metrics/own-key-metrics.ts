import type { Registry } from 'prom-client'
import { measured } from './counted.ts'

export interface OwnKeySource {
  /** By the name of the sealing key. */
  readonly sealed: ReadonlyMap<string, number>
}

/** @param upkeep undefined where accounts have no keys of their own */
export function registerOwnKeyMetrics(registry: Registry, upkeep: OwnKeySource | undefined): void {
  measured(
    registry,
    {
      name: 'turnpike_vendor_keys_sealed',
      help:
        'Own vendor keys of accounts in the database, by the name of the key that they are sealed with: ' +
        'the same on every node. One that counts nothing may be left out of byok.encryption_keys.',
      labelNames: ['key_name'],
    },
    () => [...(upkeep?.sealed ?? [])].map(([name, count]) => [{ key_name: name }, count] as const),
  )
}
