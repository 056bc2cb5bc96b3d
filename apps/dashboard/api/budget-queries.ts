import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from './client.ts'
import { readAllQuery, readQuery } from './read-query.ts'

export type Budget = Schemas['Budget']

/** Shown again every half minute, as usage is. */
const refetchMs = 30_000

export const budgetsQuery = queryOptions({
  ...readAllQuery(['budgets', 'all'], '/api/v1/budgets'),
  refetchInterval: refetchMs,
})

/** @param from the first day in Unix epoch seconds; absent: of the period under way */
export const budgetReportQuery = (budgetId: string, from?: number) =>
  queryOptions({
    ...readQuery(['budgets', 'report', budgetId, from], '/api/v1/budgets/{budget_id}/report', {
      path: { budget_id: budgetId },
      query: { from },
    }),
    refetchInterval: refetchMs,
  })
