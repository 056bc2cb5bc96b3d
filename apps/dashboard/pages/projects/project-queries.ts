import { projectsQuery } from '../../api/team-queries.ts'
import { breakdownQuery, mostGroups } from '../../api/usage-queries.ts'

export const projectDays = 30

/** The page's queries: the projects, and the spend of each. */
export const projectQueries = {
  projects: projectsQuery,
  spent: breakdownQuery({ days: projectDays, by: ['project'], limit: mostGroups }),
}
