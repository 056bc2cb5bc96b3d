import type { Meters } from './register.ts'

export interface OwnKeySource {
  /** Own keys by the name of the key that sealed them. */
  readonly sealed: ReadonlyMap<string, number>
}

/** @param upkeep undefined if accounts have no own keys */
export function registerOwnKeyMetrics({ gauge }: Meters, upkeep: OwnKeySource | undefined): void {
  gauge(
    'turnpike_vendor_keys_sealed',
    "Accounts' own vendor keys in the database, by the name of their encryption key; the same " +
      'on every node. An encryption key at 0 can be removed from byok.encryption_keys.',
    ['key_name'],
    () => [...(upkeep?.sealed ?? [])].map(([name, count]) => [{ key_name: name }, count] as const),
  )
}
