import type { SealedLog } from '@turnpike/gateway'
import type { Connection } from '../schema.ts'

/**
 * The logs that are still to be kept, whatever their node knew when it made them: the account exists and
 * keeps logs, or the key does, and neither has deleted logs of that time.
 * @param lock keeps others from deleting an account's logs until this transaction ends
 */
export async function selectWantedLogs(
  transaction: Connection,
  logs: readonly SealedLog[],
  lock: (accountId: string) => Promise<void>,
): Promise<SealedLog[]> {
  const accountIds = [...new Set(logs.map(({ accountId }) => accountId))]
  // In a fixed order, so that nodes that write for the same accounts do not deadlock.
  for (const accountId of accountIds.toSorted()) await lock(accountId)
  const rows = await transaction
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .innerJoin('prompt_log_totals', 'prompt_log_totals.account_id', 'accounts.id')
    .leftJoin('prompt_log_deletions', 'prompt_log_deletions.key_id', 'api_keys.id')
    .select([
      'api_keys.id',
      'api_keys.log_prompts as of_key',
      'accounts.log_prompts as of_account',
      'prompt_log_totals.deleted_before_ms as account_deleted_ms',
      'prompt_log_deletions.deleted_before_ms as key_deleted_ms',
    ])
    .where(
      'api_keys.id',
      'in',
      logs.map(({ keyId }) => keyId),
    )
    .where('accounts.status', '<>', 'closed')
    .execute()
  const byKey = new Map(rows.map((row) => [row.id, row]))
  return logs.filter(({ keyId, createdAtMs }) => {
    const row = byKey.get(keyId)
    if (row === undefined || (row.of_key ?? row.of_account) !== 1n) return false
    return createdAtMs > Number(row.account_deleted_ms) && createdAtMs > Number(row.key_deleted_ms ?? 0n)
  })
}
