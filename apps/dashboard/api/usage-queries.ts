import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf } from './client.ts'
import { allOf, readQuery, type BodyOf, type QueryOf } from './read-query.ts'

type BreakdownQuery = QueryOf<'/api/v1/usage/breakdown'>
type SummaryQuery = QueryOf<'/api/v1/usage'>
type RequestsQuery = QueryOf<'/api/v1/usage/requests'>

export type Dimension = BreakdownQuery['by'][number]
export type Breakdown = BodyOf<'/api/v1/usage/breakdown'>
export type UsageGroup = Breakdown['data'][number]
export type UsageTotals = NonNullable<Breakdown['others']>

/** The API's maximum. Charts and tables are built from them. */
export const mostGroups = 10_000

/** Refetched every half minute, so that current use shows up. */
const refetchMs = 30_000

export const summaryQuery = (query: SummaryQuery) =>
  queryOptions({
    ...readQuery(['usage', 'summary', query], '/api/v1/usage', { query }),
    refetchInterval: refetchMs,
  })

/** The burn rate is the mean of this many days. */
export const burnDays = 7

export const burnQuery = summaryQuery({ days: burnDays })

/**
 * The result includes its dimensions: it stays on screen, correctly labelled, until the next one arrives.
 */
export const breakdownQuery = <By extends Dimension>(query: BreakdownQuery & { by: By[] }) =>
  queryOptions({
    queryKey: ['usage', 'breakdown', query],
    queryFn: async ({ signal }) => {
      const answer = await bodyOf(api.GET('/api/v1/usage/breakdown', { params: { query }, signal }))
      return { ...answer, by: query.by }
    },
    refetchInterval: refetchMs,
  })

/** Every group, page by page. */
export async function allGroups(query: BreakdownQuery): Promise<UsageGroup[]> {
  const { data } = await allOf<UsageGroup>(
    (page) => bodyOf(api.GET('/api/v1/usage/breakdown', { params: { query: { ...query, ...page } } })),
    mostGroups,
  )
  return data
}

export const requestsQuery = (query: RequestsQuery) =>
  queryOptions({
    ...readQuery(['requests', query], '/api/v1/usage/requests', { query }),
    refetchInterval: refetchMs,
  })

export const requestQuery = (requestId: string) =>
  queryOptions({
    ...readQuery(['request', requestId], '/api/v1/usage/requests/{request_id}', {
      path: { request_id: requestId },
    }),
    // A recorded request does not change.
    staleTime: Infinity,
  })

/** The group of a breakdown by two dimensions: `[first, second]`. */
export function pairOf({ group }: UsageGroup): [string | null, string | null] {
  const [first = null, second = null] = [group].flat()
  return [first, second]
}

/** The group of a breakdown by one dimension. */
export function nameOf({ group }: UsageGroup): string | null {
  return [group].flat()[0] ?? null
}
