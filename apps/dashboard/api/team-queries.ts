import { readAllQuery } from './read-query.ts'

/* All of them, page by page: names stand for members and projects everywhere. */

/** Of an organization, those who were removed included. */
export const membersQuery = readAllQuery(['members'], '/api/v1/organization/members')

/** Those that were archived included. */
export const projectsQuery = readAllQuery(['projects'], '/api/v1/projects')
