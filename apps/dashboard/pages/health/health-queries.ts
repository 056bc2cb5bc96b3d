import { queryOptions } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { readQuery, type BodyOf, type QueryOf } from '../../api/read-query.ts'
import { queryOf } from '../../filters/usage-filters.ts'
import { defaultBy, unitOf, type HealthView } from './health-search.ts'

type HealthQuery = QueryOf<'/api/v1/usage/health'>

export type Health = BodyOf<'/api/v1/usage/health'>
export type HealthRow = Health['data'][number]
export type HealthFigures = Schemas['HealthFigures']

/** What is running is seen. */
const refetchMs = 30_000
/** As many hours as a chart has, and more rows than a table has. */
const mostPlaces = 3_000
export const mostRows = 200

const healthQuery = (query: HealthQuery) =>
  queryOptions({
    ...readQuery(['usage', 'health', query], '/api/v1/usage/health', { query }),
    refetchInterval: refetchMs,
  })

/** What a view asks the API for: known from its address, so that it is asked before the page is there. */
export function healthQueries(view: HealthView) {
  const { tag: [tag] = [], ...conditions } = queryOf(view)
  const asked = { ...conditions, ...(tag !== undefined && { tag }) }
  const { by = defaultBy } = view
  const series = { ...asked, by: unitOf(view), limit: mostPlaces }
  return {
    series: healthQuery(series),
    // The same question where the table has the chart's own rows.
    groups: healthQuery(by === series.by ? series : { ...asked, by, limit: mostRows }),
  }
}
