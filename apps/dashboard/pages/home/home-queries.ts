import {
  breakdownQuery,
  burnQuery,
  mostGroups,
  requestsQuery,
  summaryQuery,
} from '../../api/usage-queries.ts'
import { homeDays } from './home-days.ts'

const shownFailures = 5
const shownGroups = 5

/** The page's queries, so that they can start before its code is loaded. */
export const homeQueries = {
  month: summaryQuery({ days: homeDays }),
  week: burnQuery,
  byDay: breakdownQuery({ days: homeDays, limit: mostGroups, by: ['day', 'model'] }),
  byModel: breakdownQuery({ days: homeDays, limit: shownGroups, by: ['model'] }),
  byTag: breakdownQuery({ days: homeDays, limit: shownGroups, by: ['tag'] }),
  failures: requestsQuery({ days: homeDays, outcome: 'failed', limit: shownFailures }),
}
