import type { Budget } from '../../api/budget-queries.ts'
import { choiceIn, textIn } from '../../search.ts'

const scopes = [
  'organization',
  'project',
  'member',
  'key',
  'tag',
  'model',
] as const satisfies Budget['scope'][]

export interface BudgetView {
  action?: 'new' | 'change' | 'delete'
  budget?: string
  /** Preselects the subject of a new budget. */
  scope?: (typeof scopes)[number]
  subject?: string
}

/** Which action is open, on which budget. */
export function budgetSearch(search: Record<string, unknown>): BudgetView {
  const scope = choiceIn(search, 'scope', scopes)
  return {
    action: choiceIn(search, 'action', ['new', 'change', 'delete'] as const),
    budget: textIn(search, 'budget'),
    scope,
    subject: scope && textIn(search, 'subject'),
  }
}
