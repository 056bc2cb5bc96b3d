import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf } from './client.ts'
import type { paths } from '@turnpike/api'

type BreakdownQuery = paths['/api/v1/usage/breakdown']['get']['parameters']['query']
type SummaryQuery = NonNullable<paths['/api/v1/usage']['get']['parameters']['query']>
type RequestsQuery = NonNullable<paths['/api/v1/usage/requests']['get']['parameters']['query']>

export type Dimension = BreakdownQuery['by'][number]
export type Breakdown =
  paths['/api/v1/usage/breakdown']['get']['responses'][200]['content']['application/json']
export type UsageGroup = Breakdown['data'][number]
export type UsageTotals = NonNullable<Breakdown['others']>

/** As many groups as one answer holds: what charts and tables are made of. */
export const mostGroups = 10_000

/** Shown again every half minute: what is running is seen. */
const refetchMs = 30_000

export const summaryQuery = (query: SummaryQuery) =>
  queryOptions({
    queryKey: ['usage', 'summary', query],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/usage', { params: { query }, signal })),
    refetchInterval: refetchMs,
  })

/** What the burn rate is the mean of. */
export const burnDays = 7

export const burnQuery = summaryQuery({ days: burnDays })

/** An answer says what it is broken down by: it is shown until the next one is there, under its own name. */
export const breakdownQuery = <By extends Dimension>(query: BreakdownQuery & { by: By[] }) =>
  queryOptions({
    queryKey: ['usage', 'breakdown', query],
    queryFn: async ({ signal }) => {
      const answer = await bodyOf(api.GET('/api/v1/usage/breakdown', { params: { query }, signal }))
      return { ...answer, by: query.by }
    },
    refetchInterval: refetchMs,
  })

/** Every group there is, page by page. */
export async function allGroups(query: BreakdownQuery): Promise<UsageGroup[]> {
  const groups: UsageGroup[] = []
  let cursor: string | null = null
  do {
    const page: BreakdownQuery = { ...query, limit: mostGroups, ...(cursor !== null && { cursor }) }
    const answer: Breakdown = await bodyOf(api.GET('/api/v1/usage/breakdown', { params: { query: page } }))
    groups.push(...answer.data)
    cursor = answer.next_cursor
  } while (cursor !== null)
  return groups
}

export const requestsQuery = (query: RequestsQuery) =>
  queryOptions({
    queryKey: ['requests', query],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/usage/requests', { params: { query }, signal })),
    refetchInterval: refetchMs,
  })

export const requestQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['request', requestId],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/usage/requests/{request_id}', {
          params: { path: { request_id: requestId } },
          signal,
        }),
      ),
    // What is recorded does not change.
    staleTime: Infinity,
  })

/** The groups of a breakdown by two: `[first, second]`. */
export function pairOf({ group }: UsageGroup): [string | null, string | null] {
  const [first = null, second = null] = [group].flat()
  return [first, second]
}

/** The group of a breakdown by one. */
export function nameOf({ group }: UsageGroup): string | null {
  return [group].flat()[0] ?? null
}
