import { noBudgets, type BudgetSet } from '@turnpike/billing'
import type { Limited } from '../context/stages.ts'

/**
 * The hard budgets that a request falls under, those of all models that may answer it among them: a few
 * look-ups in maps; none where its account never had a budget.
 */
export function budgetsOf({ key, record, candidates }: Limited): BudgetSet {
  const { budgets, ownBudgets } = key
  if (budgets === null) return noBudgets
  return budgets.ofRequest(
    ownBudgets,
    record.tags,
    candidates.map(({ model }) => model.id),
  )
}
