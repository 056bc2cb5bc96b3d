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

/** What bars are made of: in an organization of members, else of models. */
export function seriesOfProject(): 'member' | 'model' {
  return currentOrganization() === undefined ? 'model' : 'member'
}

/** What the page shows besides; for whoever may see usage. */
export function projectUsage(projectId: string, range: Range) {
  const days = queryOf(range)
  const asked = queryOf({ ...range, project: projectId })
  return {
    spent: summaryQuery(asked),
    /** Of the whole account. */
    all: summaryQuery(days),
    overTime: breakdownQuery({
      ...asked,
      limit: mostGroups,
      by: [timeOf(range), seriesOfProject()],
    }),
    byMember: breakdownQuery({ ...asked, limit: mostGroups, by: ['member'] }),
    byKey: breakdownQuery({ ...asked, limit: mostGroups, by: ['key'] }),
    requests: requestsQuery({ ...asked, limit: shownRequests }),
  }
}

/** All that the page will show. */
export function projectPageQueries(projectId: string, range: Range) {
  const { byMember, ...usage } = projectUsage(projectId, range)
  return {
    project: projectQuery(projectId),
    ...usage,
    ...(currentOrganization() !== undefined && { byMember }),
  }
}
