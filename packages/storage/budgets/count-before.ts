import type { Budget } from '@turnpike/billing'
import { bulkAdd, type BulkValue } from '../database/bulk.ts'
import type { Connection } from '../schema.ts'
import { splitSum } from '../database/wide-sum.ts'
import { periodsOfBudget, totalAmounts, totalKeys } from './count.ts'
import { allDays, usageByDay } from './usage-of.ts'

/** Counts what was spent before a budget was created. The caller has locked the account against charges. */
export async function countBefore(
  transaction: Connection,
  budget: Budget,
  accountMadeAtMs: number,
): Promise<void> {
  const { fromMs, toMs } = allDays(accountMadeAtMs, budget.createdAtMs)
  const totals = new Map<string, { requests: number; spentPico: bigint }>()
  for (const { day, requests, spentPico } of await usageByDay(transaction, budget, fromMs, toMs))
    for (const period of periodsOfBudget(budget.period, Date.parse(day))) {
      const total = totals.get(period) ?? { requests: 0, spentPico: 0n }
      totals.set(period, {
        requests: total.requests + requests,
        spentPico: total.spentPico + spentPico,
      })
    }
  const values: BulkValue[] = []
  for (const [period, { requests, spentPico }] of totals) {
    const { high, low } = splitSum(spentPico)
    values.push(budget.id, period, requests, high, low)
  }
  await bulkAdd(transaction, {
    table: 'budget_totals',
    keys: totalKeys,
    amounts: totalAmounts,
    values,
  })
}
