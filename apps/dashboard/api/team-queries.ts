import { readAllQuery } from './read-query.ts'

/* All of them, page by page: every page shows names for members and projects. */

/** Includes removed members. */
export const membersQuery = readAllQuery(['members'], '/api/v1/organization/members')

/** Includes archived projects. */
export const projectsQuery = readAllQuery(['projects'], '/api/v1/projects')
