import { sql } from 'kysely'
import type { Connection } from '../schema.ts'
import { highSum, joinSum, lowSum, type WideSum } from '../database/wide-sum.ts'

/** The total credit of each account: of its keys, and unassigned. */
export async function totalCredit(
  connection: Connection,
  accountIds: readonly string[],
): Promise<Map<string, bigint>> {
  const rows = await connection
    .selectFrom('ledger_accounts')
    .select('account_id')
    .select(highSum('balance_pico').as('high'))
    .select(lowSum('balance_pico').as('low'))
    .where('account_id', 'in', accountIds)
    .groupBy('account_id')
    .execute()
  return new Map(rows.map((row) => [row.account_id!, joinSum(row)]))
}

/** What an account was charged in each of these periods, in their order; 0 if nothing. */
export async function readSpendByPeriod(
  connection: Connection,
  accountId: string,
  periods: readonly string[],
): Promise<bigint[]> {
  const rows = await connection
    .selectFrom('usage_totals')
    .select('period')
    .select(sql<WideSum['high']>`sum(cost_high)`.as('high'))
    .select(sql<WideSum['low']>`sum(cost_low)`.as('low'))
    .where('period', 'in', periods)
    .where('account_id', '=', accountId)
    .groupBy('period')
    .execute()
  const byPeriod = new Map(rows.map((row) => [row.period, joinSum(row)]))
  return periods.map((period) => byPeriod.get(period) ?? 0n)
}
