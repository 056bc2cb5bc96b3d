import { breakdownQuery, mostGroups, summaryQuery } from '../../api/usage-queries.ts'
import { defaultDays, queryOf } from '../../filters/usage-filters.ts'
import { defaultBy, overlaps, type UsageDimension, type UsageView } from './usage-search.ts'

/** What a view asks the API for: known from its address, so that it is asked before the page is there. */
export function viewQueries(view: UsageView) {
  const { by = defaultBy, against } = view
  const asked = queryOf(view)
  const series = seriesOf(by)
  return {
    summary: summaryQuery(asked),
    byTier: breakdownQuery({ ...asked, by: ['tier'] }),
    overTime: breakdownQuery<UsageDimension>({
      ...asked,
      limit: mostGroups,
      by: series === undefined ? [timeOf(view)] : [timeOf(view), series],
    }),
    groups: breakdownQuery<UsageDimension>({
      ...asked,
      limit: mostGroups,
      by: against === undefined ? [by] : [by, against],
    }),
  }
}

/** What a cross table's sums are where its cells overlap: those of one side. */
export function totalsQuery(view: UsageView, by: UsageDimension) {
  return breakdownQuery({ ...queryOf(view), limit: mostGroups, by: [by] })
}

/** By hours where there is but one day. */
export function timeOf({ days = defaultDays, from, to }: UsageView): 'day' | 'hour' {
  const isOneDay = from !== undefined && to !== undefined ? from === to : days === 1
  return isOneDay ? 'hour' : 'day'
}

/**
 * What bars are stacked by: times themselves by model; undefined: by nothing, since what overlaps would be
 * higher than what there was.
 */
export function seriesOf(by: UsageDimension): UsageDimension | undefined {
  if (overlaps(by)) return undefined
  return by === 'day' || by === 'hour' ? 'model' : by
}
