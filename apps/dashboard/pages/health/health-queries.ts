import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { readQuery, type BodyOf, type QueryOf } from '../../api/read-query.ts'
import { queryOf } from '../../filters/usage-filters.ts'
import { defaultBy, unitOf, type HealthView } from './health-search.ts'

type HealthQuery = QueryOf<'/api/v1/usage/health'>

export type Health = BodyOf<'/api/v1/usage/health'>
export type HealthRow = Health['data'][number]
export type HealthFigures = Schemas['HealthFigures']

/** Short, so that current requests show up. */
const refetchMs = 30_000
/** More than any chart has hours or days. */
const mostPlaces = 3_000
export const mostRows = 200

const healthQuery = (query: HealthQuery) =>
  queryOptions({
    ...readQuery(['usage', 'health', query], '/api/v1/usage/health', { query }),
    refetchInterval: refetchMs,
  })

/** The queries of a view. They only depend on its address, so they can start before the page is loaded. */
export function healthQueries(view: HealthView) {
  const { tag: [tag] = [], ...conditions } = queryOf(view)
  const filters = { ...conditions, ...(tag !== undefined && { tag }) }
  const { by = defaultBy } = view
  const series = { ...filters, by: unitOf(view), limit: mostPlaces }
  return {
    series: healthQuery(series),
    // The same query, if the table has the same rows as the chart.
    groups: healthQuery(by === series.by ? series : { ...filters, by, limit: mostRows }),
  }
}
