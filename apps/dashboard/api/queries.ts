import { queryOptions } from '@tanstack/react-query'
import { ApiFailure } from './api-failure.ts'
import { api, bodyOf, personApi, type Schemas } from './client.ts'
import { allOf, readQuery, type BodyOf } from './read-query.ts'

type KeyPage = BodyOf<'/api/v1/me/keys'>

/**
 * Queries that several pages use. A change makes queries stale by the first part of their key (`stale.ts`).
 */

export const accountQuery = readQuery(['account'], '/api/v1/me')

/** The signed-in person while they act for an organization: only `usePerson` uses it, and only then. */
export const personQuery = readQuery(['account', 'person'], '/api/v1/me', {}, personApi)

/** How the person signs in, and what of that can be changed here. */
export const loginQuery = readQuery(['login'], '/api/v1/me/login', {}, personApi)

/** The organizations that the person is a member of. */
export const organizationsQuery = readQuery(['organizations'], '/api/v1/organizations', {}, personApi)

/** All keys, page by page: every page shows names instead of key IDs. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) =>
    allOf<Schemas['Key']>((query) =>
      bodyOf(api.GET('/api/v1/me/keys', { params: { query }, signal })).catch(noneShown),
    ),
})

/** Treats a role that may not see keys like one without keys. */
function noneShown(error: unknown): KeyPage {
  if (!(error instanceof ApiFailure) || error.status !== 403) throw error
  return { object: 'list', data: [], has_more: false, next_cursor: null }
}

/** Apps connected through the embedded identity provider; with an external one the list is empty. */
export const connectedAppsQuery = readQuery(['apps'], '/api/v1/me/connected-apps', {}, personApi)

export { modelsQuery } from './model-queries.ts'
