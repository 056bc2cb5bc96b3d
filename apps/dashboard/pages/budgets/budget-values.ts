import type { BudgetPeriod, BudgetScope } from '../../api/budgets.ts'
import type { Budget } from '../../api/budget-queries.ts'

/** The values of the form. */
export interface BudgetValues {
  name: string
  scope: BudgetScope
  subject: string
  period: BudgetPeriod
  limitUsd: string
  isHard: boolean
  /** Percentages as texts. */
  notify: string[]
}

export const newBudget: BudgetValues = {
  name: '',
  scope: 'organization',
  subject: '',
  period: 'month',
  limitUsd: '',
  isHard: true,
  notify: ['50', '80', '100'],
}

export function valuesOf(budget: Budget): BudgetValues {
  return {
    name: budget.name,
    scope: budget.scope,
    subject: budget.subject ?? '',
    period: budget.period,
    limitUsd: budget.limit_usd,
    isHard: budget.hard,
    notify: budget.notify.map(String),
  }
}

/** The changeable values. Subject and period are not among them. */
export function changesBody({ name, limitUsd, isHard, notify }: BudgetValues) {
  return { name: name.trim(), limit_usd: limitUsd.trim(), hard: isHard, notify: notify.map(Number) }
}

export function creationBody(values: BudgetValues) {
  const { scope, subject, period } = values
  return {
    ...changesBody(values),
    scope,
    period,
    ...(scope !== 'organization' && { subject: subject.trim() }),
  }
}

export function isComplete({ name, scope, subject, limitUsd }: BudgetValues): boolean {
  return name.trim() !== '' && limitUsd.trim() !== '' && (scope === 'organization' || subject.trim() !== '')
}
