import type { AccountVendorKeys } from '@turnpike/identity'
import type { Connection } from '../schema.ts'
import { VersionedByAccount } from '../database/versioned-by-account.ts'
import { toSealedKey } from './vendor-keys.ts'

/** A cache of accounts' active vendor keys, read along with their API keys. */
export function cacheVendorKeys(): VersionedByAccount<AccountVendorKeys> {
  return new VersionedByAccount(readAll)
}

async function readAll(
  connection: Connection,
  accountIds: readonly string[],
): Promise<Map<string, AccountVendorKeys>> {
  const rows = await connection
    .selectFrom('vendor_keys')
    .selectAll()
    .where('account_id', 'in', accountIds)
    .where('status', '=', 'active')
    .orderBy('position')
    .orderBy('id')
    .execute()
  const byAccount = Map.groupBy(rows.map(toSealedKey), ({ accountId }) => accountId)
  return new Map(accountIds.map((accountId) => [accountId, { keys: byAccount.get(accountId) ?? [] }]))
}
