import { noBudgets, type BudgetSet } from '@turnpike/billing'
import type { Limited } from '../context/stages.ts'

/** The hard budgets that a request counts against, whichever candidate answers: a few look-ups, or none. */
export function budgetsOf({ key, record, candidates }: Limited): BudgetSet {
  const { budgets, ownBudgets } = key
  if (budgets === null) return noBudgets
  return budgets.ofRequest(
    ownBudgets,
    record.tags,
    candidates.map(({ model }) => model.id),
  )
}
