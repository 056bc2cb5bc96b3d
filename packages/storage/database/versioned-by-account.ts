import type { Connection } from '../schema.ts'

/** Accounts whose values are remembered; those that have none take no room. */
const maxRemembered = 10_000

/** An account, and its version of the value; 0: it has none. */
export interface AccountVersion {
  accountId: string
  version: bigint
}

/**
 * What the API keys that are read need to know of their accounts: one value for all keys of an account, read
 * again where the account has another version. The version is read first, with the key: a value that is newer
 * than it is read once more with the next key, and an older one cannot be.
 */
export class VersionedByAccount<Value> {
  readonly #read: (
    connection: Connection,
    accountIds: readonly string[],
  ) => Promise<ReadonlyMap<string, Value>>
  readonly #known = new Map<string, { version: bigint; value: Value }>()

  /** @param read the value of each account, at once */
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
