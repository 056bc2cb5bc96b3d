import type { Budget } from '../api/budget-queries.ts'
import { parseUsd, shareOf } from '../format/money.ts'

/** Per cent of the limit; of a budget of nothing all of it. */
export function usedPercent({ spent_usd: spent, limit_usd: limit }: Budget): number {
  return shareOf(parseUsd(spent), parseUsd(limit)) ?? 100
}

/** Of several the one that is used up the most; undefined: there is none. */
export function mostUsed(budgets: readonly Budget[]): Budget | undefined {
  return budgets.toSorted((left, right) => usedPercent(right) - usedPercent(left))[0]
}
