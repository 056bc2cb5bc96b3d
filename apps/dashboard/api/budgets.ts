import { queryOptions } from '@tanstack/react-query'
import { useKeyNames } from './key-names.ts'
import { allOf, memberName, useMembers, useProjects } from './team-queries.ts'
import { api, bodyOf, type Schemas } from './client.ts'

export type Budget = Schemas['Budget']
export type BudgetScope = Budget['scope']
export type BudgetPeriod = Budget['period']

/** Shown again every half minute, as usage is. */
const refetchMs = 30_000

export const budgetsQuery = queryOptions({
  queryKey: ['budgets', 'all'],
  queryFn: ({ signal }) =>
    allOf<Budget>((query) => bodyOf(api.GET('/api/v1/budgets', { params: { query }, signal }))),
  refetchInterval: refetchMs,
})

/** @param from the first day in Unix epoch seconds; absent: of the period under way */
export const budgetReportQuery = (budgetId: string, from?: number) =>
  queryOptions({
    queryKey: ['budgets', 'report', budgetId, from],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/budgets/{budget_id}/report', {
          params: { path: { budget_id: budgetId }, query: { ...(from !== undefined && { from }) } },
          signal,
        }),
      ),
    refetchInterval: refetchMs,
  })

export const periodNames: Record<BudgetPeriod, string> = {
  day: 'a day',
  week: 'a week',
  month: 'a month',
  total: 'in all',
}

/** What a budget is on, in words: `tag team:search`. */
export function useSubjectName(
  shown: readonly Pick<Budget, 'scope'>[],
): (budget: Pick<Budget, 'scope' | 'subject'>) => string {
  const has = (scope: BudgetScope): boolean => shown.some((one) => one.scope === scope)
  const members = useMembers(has('member'))
  const projects = useProjects(has('project'))
  const keyNames = useKeyNames(has('key'))
  return ({ scope, subject }) => {
    const id = subject ?? ''
    if (scope === 'organization') return 'the whole account'
    if (scope === 'project') return `project ${projects.find((one) => one.id === id)?.name ?? id}`
    if (scope === 'key') return `key ${keyNames.get(id) ?? id}`
    if (scope !== 'member') return `${scope} ${id}`
    const member = members.find((one) => one.id === id)
    return `member ${member === undefined ? id : memberName(member)}`
  }
}
