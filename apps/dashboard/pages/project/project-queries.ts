import { currentOrganization } from '../../api/acting.ts'
import { readQuery } from '../../api/read-query.ts'
import { breakdownQuery, mostGroups, requestsQuery, summaryQuery } from '../../api/usage-queries.ts'
import { queryOf, type Range } from '../../filters/usage-filters.ts'
import { timeOf } from '../usage/view-queries.ts'

const shownRequests = 10

export const projectQuery = (projectId: string) =>
  readQuery(['projects', 'one', projectId], '/api/v1/projects/{project_id}', {
    path: { project_id: projectId },
  })

/** The parts of the bars: members in an organization, else models. */
export function seriesOfProject(): 'member' | 'model' {
  return currentOrganization() === undefined ? 'model' : 'member'
}

/** The page's usage data, for roles that may see usage. */
export function projectUsage(projectId: string, range: Range) {
  const days = queryOf(range)
  const filters = queryOf({ ...range, project: projectId })
  return {
    spent: summaryQuery(filters),
    /** Of the whole account. */
    all: summaryQuery(days),
    overTime: breakdownQuery({
      ...filters,
      limit: mostGroups,
      by: [timeOf(range), seriesOfProject()],
    }),
    byMember: breakdownQuery({ ...filters, limit: mostGroups, by: ['member'] }),
    byKey: breakdownQuery({ ...filters, limit: mostGroups, by: ['key'] }),
    requests: requestsQuery({ ...filters, limit: shownRequests }),
  }
}

/** All queries of the page. */
export function projectPageQueries(projectId: string, range: Range) {
  const { byMember, ...usage } = projectUsage(projectId, range)
  return {
    project: projectQuery(projectId),
    ...usage,
    ...(currentOrganization() !== undefined && { byMember }),
  }
}
