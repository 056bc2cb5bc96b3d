import { projectsQuery } from '../../api/team-queries.ts'
import { breakdownQuery, mostGroups } from '../../api/usage-queries.ts'

export const projectDays = 30

/** What the page shows: the projects, and what each of them spent. */
export const projectQueries = {
  projects: projectsQuery,
  spent: breakdownQuery({ days: projectDays, by: ['project'], limit: mostGroups }),
}
