import { formatUsd, type BudgetRule } from '@turnpike/billing'

const periodNames = { day: 'a day', week: 'a week', month: 'a month', total: 'in total' } as const

/**
 * ``the budget "Search team" (tag `team:search`, 50 USD a day)``.
 * @param first the first letter: `t` or `T`
 */
export function budgetName(
  { name, scope, subject, limitPico, period }: BudgetRule,
  first: 't' | 'T' = 't',
): string {
  const what = scope === 'organization' ? 'the whole account' : `${scope} \`${subject}\``
  return `${first}he budget "${name}" (${what}, ${formatUsd(limitPico)} USD ${periodNames[period]})`
}

/** What helps, without a full stop. */
export function raiseBudget({ id }: BudgetRule): string {
  return `Raise the budget (PATCH /api/v1/budgets/${id})`
}
