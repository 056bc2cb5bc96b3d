import { choiceIn, textIn } from '../../search.ts'

export interface BudgetView {
  action?: 'new' | 'change' | 'delete'
  budget?: string
}

/** What is being done, and to which budget. */
export function budgetSearch(search: Record<string, unknown>): BudgetView {
  const action = choiceIn(search, 'action', ['new', 'change', 'delete'] as const)
  const budget = textIn(search, 'budget')
  return { ...(action && { action }), ...(budget && { budget }) }
}
