import { breakdownQuery, mostGroups, summaryQuery } from '../../api/usage-queries.ts'
import { defaultDays, queryOf } from '../../filters/usage-filters.ts'
import { defaultBy, overlaps, type UsageDimension, type UsageView } from './usage-search.ts'

/** The queries of a view. They only depend on its address, so they can start before the page is loaded. */
export function viewQueries(view: UsageView) {
  const { by = defaultBy, against } = view
  const filters = queryOf(view)
  const series = seriesOf(by)
  return {
    summary: summaryQuery(filters),
    byTier: breakdownQuery({ ...filters, by: ['tier'] }),
    overTime: breakdownQuery<UsageDimension>({
      ...filters,
      limit: mostGroups,
      by: series === undefined ? [timeOf(view)] : [timeOf(view), series],
    }),
    groups: breakdownQuery<UsageDimension>({
      ...filters,
      limit: mostGroups,
      by: against === undefined ? [by] : [by, against],
    }),
  }
}

/** The sums of one side of a cross table whose cells overlap. */
export function totalsQuery(view: UsageView, by: UsageDimension) {
  return breakdownQuery({ ...queryOf(view), limit: mostGroups, by: [by] })
}

/** By hour if there is only one day. */
export function timeOf({ days = defaultDays, from, to }: UsageView): 'day' | 'hour' {
  const isOneDay = from !== undefined && to !== undefined ? from === to : days === 1
  return isOneDay ? 'hour' : 'day'
}

/**
 * The dimension that bars are stacked by; for a breakdown by time, the model. Undefined: no stack, because
 * overlapping groups would be higher than the total.
 */
export function seriesOf(by: UsageDimension): UsageDimension | undefined {
  if (overlaps(by)) return undefined
  return by === 'day' || by === 'hour' ? 'model' : by
}
