import { AccountBudgets, type BudgetScope } from '@turnpike/billing'
import type { SpendLimitPeriod } from '@turnpike/protocol'
import type { Connection } from '../schema.ts'
import { VersionedByAccount } from '../database/versioned-by-account.ts'

/** A cache of accounts' hard budgets, read along with their keys. */
export function cacheBudgets(): VersionedByAccount<AccountBudgets> {
  return new VersionedByAccount(readAll)
}

async function readAll(
  connection: Connection,
  accountIds: readonly string[],
): Promise<Map<string, AccountBudgets>> {
  const rows = await connection
    .selectFrom('budgets')
    .select(['id', 'account_id', 'name', 'scope', 'subject', 'period', 'limit_pico'])
    .where('account_id', 'in', accountIds)
    .where('is_hard', '=', 1n)
    .where('deleted_at_ms', 'is', null)
    .orderBy('id')
    .execute()
  const byAccount = Map.groupBy(rows, (row) => row.account_id)
  return new Map(
    accountIds.map((accountId) => [
      accountId,
      new AccountBudgets(
        (byAccount.get(accountId) ?? []).map((row) => ({
          id: row.id,
          name: row.name,
          scope: row.scope as BudgetScope,
          subject: row.subject,
          period: row.period as SpendLimitPeriod,
          limitPico: row.limit_pico,
        })),
      ),
    ]),
  )
}
