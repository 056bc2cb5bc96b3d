import { queryOptions } from '@tanstack/react-query'
import { ApiFailure } from './api-failure.ts'
import { api, bodyOf, personApi, type Schemas } from './client.ts'
import { allOf, readQuery, type BodyOf } from './read-query.ts'

type KeyPage = BodyOf<'/api/v1/me/keys'>

/** What more than one page asks for. The first part of a key is what a change makes stale (`stale.ts`). */

export const accountQuery = readQuery(['account'], '/api/v1/me')

/** Whoever signed in, where they act for an organization: `usePerson` asks for it there alone. */
export const personQuery = readQuery(['account', 'person'], '/api/v1/me', {}, personApi)

/** How they sign in, and what of that may be changed here. */
export const loginQuery = readQuery(['login'], '/api/v1/me/login', {}, personApi)

/** Those that the person is a member of. */
export const organizationsQuery = readQuery(['organizations'], '/api/v1/organizations', {}, personApi)

/** All of them, page by page: names stand for keys everywhere. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) =>
    allOf<Schemas['Key']>((query) =>
      bodyOf(api.GET('/api/v1/me/keys', { params: { query }, signal })).catch(noneShown),
    ),
})

/** To a role that may not see keys there are none. */
function noneShown(error: unknown): KeyPage {
  if (!(error instanceof ApiFailure) || error.status !== 403) throw error
  return { object: 'list', data: [], has_more: false, next_cursor: null }
}

/** At the embedded provider; with another one there are none here. */
export const connectedAppsQuery = readQuery(['apps'], '/api/v1/me/connected-apps', {}, personApi)

export { modelsQuery } from './model-queries.ts'
