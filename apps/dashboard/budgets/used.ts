import type { Budget } from '../api/budget-queries.ts'
import { parseUsd, shareOf } from '../format/money.ts'

/** Percentage of the limit; 100 if the limit is zero. */
export function usedPercent({ spent_usd: spent, limit_usd: limit }: Budget): number {
  return shareOf(parseUsd(spent), parseUsd(limit)) ?? 100
}

/** The budget that is used up the most; undefined if there are none. */
export function mostUsed(budgets: readonly Budget[]): Budget | undefined {
  return budgets.toSorted((left, right) => usedPercent(right) - usedPercent(left))[0]
}
