import type { Connection } from '../schema.ts'

/** Accounts whose values are cached. Accounts without a value take no room. */
const maxRemembered = 10_000

/** An account and the version of its value; 0: it has no value. */
export interface AccountVersion {
  accountId: string
  version: bigint
}

/**
 * Caches a value per account that is needed along with its API keys, and reads it again when the account's
 * version changes. The version is read first, together with the key. So a cached value is never older than
 * its version; one that is newer is read once more with the next key.
 */
export class VersionedByAccount<Value> {
  readonly #read: (
    connection: Connection,
    accountIds: readonly string[],
  ) => Promise<ReadonlyMap<string, Value>>
  readonly #known = new Map<string, { version: bigint; value: Value }>()

  /** @param read reads the values of all these accounts at once */
  constructor(
    read: (connection: Connection, accountIds: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ) {
    this.#read = read
  }

  async of(connection: Connection, accounts: readonly AccountVersion[]): Promise<ReadonlyMap<string, Value>> {
    const found = new Map<string, Value>()
    const missing = new Map<string, bigint>()
    for (const { accountId, version } of accounts) {
      if (version === 0n) continue
      const known = this.#known.get(accountId)
      if (known?.version === version) found.set(accountId, known.value)
      else missing.set(accountId, version)
    }
    if (missing.size === 0) return found
    for (const [accountId, value] of await this.#read(connection, [...missing.keys()])) {
      found.set(accountId, value)
      if (this.#known.size >= maxRemembered) this.#known.clear()
      this.#known.set(accountId, { version: missing.get(accountId)!, value })
    }
    return found
  }
}
