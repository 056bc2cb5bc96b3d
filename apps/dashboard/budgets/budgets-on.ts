import { useQuery } from '@tanstack/react-query'
import { budgetsQuery, type Budget } from '../api/budget-queries.ts'
import type { UsageFilters } from '../filters/usage-filters.ts'
import { parseUsd } from '../format/money.ts'

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
  'outcome',
] as const

/**
 * The budgets that apply to exactly the requests on screen, whatever the breakdown; the tightest first.
 * @param isEnabled false: the page shows no money
 */
export function useBudgetsOn(filters: UsageFilters, isEnabled: boolean): Budget[] {
  const { data } = useQuery({ ...budgetsQuery, enabled: isEnabled, retry: false })
  if (!isEnabled) return []
  return (data?.data ?? [])
    .filter((budget) => isOnAll(budget, filters))
    .toSorted((left, right) => (parseUsd(left.limit_usd) < parseUsd(right.limit_usd) ? -1 : 1))
}

function isOnAll({ scope, subject }: Budget, filters: UsageFilters): boolean {
  const set = conditions.filter((name) => filters[name] !== undefined)
  if (scope === 'organization') return set.length === 0
  const named = [filters[scope]].flat()
  return set.length === 1 && set[0] === scope && named.length === 1 && named[0] === subject
}

/** Whether no filter is set. */
export function isUnfiltered(filters: UsageFilters): boolean {
  return conditions.every((name) => filters[name] === undefined)
}
