import { breakdownQuery, mostGroups, summaryQuery } from '../../api/usage-queries.ts'
import { queryOf } from '../../filters/usage-filters.ts'
import { defaultBy, type UsageDimension, type UsageView } from './usage-search.ts'

/** What a view asks the API for: known from its address, so that it is asked before the page is there. */
export function viewQueries({ by = defaultBy, against, measure: _measure, ...filters }: UsageView) {
  const asked = queryOf(filters)
  return {
    summary: summaryQuery(asked),
    byTier: breakdownQuery({ ...asked, by: ['tier'] }),
    overTime: breakdownQuery({ ...asked, limit: mostGroups, by: ['day', overTimeBy(by)] }),
    groups: breakdownQuery({
      ...asked,
      limit: mostGroups,
      by: against === undefined ? [by] : [by, against],
    }),
  }
}

/** Days themselves are shown by model. */
export function overTimeBy(by: UsageDimension): UsageDimension {
  return by === 'day' ? 'model' : by
}
