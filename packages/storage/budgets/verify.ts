import type { BudgetDay } from '@turnpike/billing'
import type { Connection } from '../schema.ts'
import type { Compare } from '../usage/verify-totals.ts'
import { joinSum } from '../database/wide-sum.ts'
import { toBudget } from './budgets.ts'
import { periodsOfBudget } from './count.ts'
import { allDays, usageByDay } from './usage-of.ts'

const budgetsAtOnce = 100

/**
 * Recomputes each budget's spending by day from the usage totals, which are themselves compared with the
 * ledger, and its periods from its days.
 */
export async function verifyBudgets(transaction: Connection, nowMs: number, compare: Compare): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await transaction
      .selectFrom('budgets')
      .innerJoin('accounts', 'accounts.id', 'budgets.account_id')
      .selectAll('budgets')
      .select('accounts.created_at_ms as account_made_at_ms')
      .where('budgets.id', '>', after)
      .where('deleted_at_ms', 'is', null)
      .orderBy('budgets.id')
      .limit(budgetsAtOnce)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return
    for (const row of rows) {
      const budget = toBudget(row)
      const { fromMs, toMs } = allDays(Number(row.account_made_at_ms), nowMs)
      const usage = await usageByDay(transaction, budget, fromMs, toMs)
      const expected = totalsOf(usage, (day) => periodsOfBudget(budget.period, Date.parse(day)))
      const found = await readTotals(transaction, budget.id)
      for (const period of new Set([...expected.keys(), ...found.keys()]))
        compare(
          `budget ${budget.id} in ${period}`,
          expected.get(period) ?? 'nothing',
          found.get(period) ?? 'nothing',
        )
    }
    after = last.id
  }
}

function totalsOf(
  days: readonly BudgetDay[],
  periodsOf: (day: string) => readonly string[],
): Map<string, string> {
  const sums = new Map<string, { requests: number; spentPico: bigint }>()
  for (const { day, requests, spentPico } of days)
    for (const period of periodsOf(day)) {
      const sum = sums.get(period) ?? { requests: 0, spentPico: 0n }
      sums.set(period, { requests: sum.requests + requests, spentPico: sum.spentPico + spentPico })
    }
  return new Map([...sums].map(([period, sum]) => [period, textOf(sum)]))
}

async function readTotals(transaction: Connection, budgetId: string): Promise<Map<string, string>> {
  const rows = await transaction
    .selectFrom('budget_totals')
    .select(['period', 'requests', 'cost_high as high', 'cost_low as low'])
    .where('budget_id', '=', budgetId)
    .execute()
  return new Map(
    rows.map((row) => [row.period, textOf({ requests: Number(row.requests), spentPico: joinSum(row) })]),
  )
}

function textOf({ requests, spentPico }: { requests: number; spentPico: bigint }): string {
  return `${requests} requests, ${spentPico} pico-USD`
}
