import { useQuery } from '@tanstack/react-query'
import { budgetsQuery, type Budget } from '../../api/budget-queries.ts'
import { parseUsd } from '../../format/money.ts'
import type { UsageView } from './usage-search.ts'

const conditions = [
  'tag',
  'key',
  'member',
  'project',
  'model',
  'provider',
  'tier',
  'endpoint',
  'operation',
] as const

/**
 * The tightest budget of a day on exactly what is shown, whatever it is broken down by; undefined: none.
 * @param isWanted false: bars are no days, or no money
 */
export function useDrawnBudget(view: UsageView, isWanted: boolean): Budget | undefined {
  const { data } = useQuery({ ...budgetsQuery, enabled: isWanted, retry: false })
  if (!isWanted) return undefined
  return data?.data
    .filter((budget) => budget.period === 'day' && isOnAll(budget, view))
    .toSorted((left, right) => (parseUsd(left.limit_usd) < parseUsd(right.limit_usd) ? -1 : 1))[0]
}

function isOnAll({ scope, subject }: Budget, view: UsageView): boolean {
  const set = conditions.filter((name) => view[name] !== undefined)
  if (view.outcome !== undefined) return false
  if (scope === 'organization') return set.length === 0
  const [named, ...others] = set
  if (named !== scope || others.length > 0) return false
  return [view[scope]].flat().length === 1 && [view[scope]].flat()[0] === subject
}
