import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, type Schemas } from './client.ts'
import { allOf } from './team-queries.ts'

export type Budget = Schemas['Budget']

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
