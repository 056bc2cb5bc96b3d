import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from './client.ts'
import { readAllQuery, readQuery } from './read-query.ts'

export type Budget = Schemas['Budget']

/** Refetched every half minute, like usage. */
const refetchMs = 30_000

export const budgetsQuery = queryOptions({
  ...readAllQuery(['budgets', 'all'], '/api/v1/budgets'),
  refetchInterval: refetchMs,
})

/** @param from the first day in Unix epoch seconds; absent: the current period */
export const budgetReportQuery = (budgetId: string, from?: number) =>
  queryOptions({
    ...readQuery(['budgets', 'report', budgetId, from], '/api/v1/budgets/{budget_id}/report', {
      path: { budget_id: budgetId },
      query: { from },
    }),
    refetchInterval: refetchMs,
  })
