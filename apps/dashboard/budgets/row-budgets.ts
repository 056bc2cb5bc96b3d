import { useQuery } from '@tanstack/react-query'
import { budgetsQuery, type Budget } from '../api/budget-queries.ts'
import { useMay } from '../api/permissions.ts'
import { mostUsed } from './used.ts'

/**
 * The budget of each member, project, key, tag or model, by ID. If there are several, the one that is used
 * up the most.
 * @param scope undefined: no budgets are requested
 */
export function useRowBudgets(scope: Budget['scope'] | undefined): ReadonlyMap<string, Budget> {
  const may = useMay()
  const { data } = useQuery({
    ...budgetsQuery,
    enabled: scope !== undefined && may('usage:read'),
    retry: false,
  })
  const found = Map.groupBy(
    (data?.data ?? []).filter((budget) => budget.scope === scope && budget.subject !== null),
    ({ subject }) => subject!,
  )
  return new Map([...found].map(([subject, budgets]) => [subject, mostUsed(budgets)!]))
}
