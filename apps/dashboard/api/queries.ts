import { queryOptions } from '@tanstack/react-query'
import { ApiFailure } from './api-failure.ts'
import { api, bodyOf, personApi, type Schemas } from './client.ts'
import type { paths } from '@turnpike/api'

type KeyPage = paths['/api/v1/me/keys']['get']['responses'][200]['content']['application/json']

/** What more than one page asks for. The first part of a key is what a change makes stale (`stale.ts`). */

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/me', { signal })),
})

/** Whoever signed in, where they act for an organization: `usePerson` asks for it there alone. */
export const personQuery = queryOptions({
  queryKey: ['account', 'person'],
  queryFn: ({ signal }) => bodyOf(personApi.GET('/api/v1/me', { signal })),
})

/** How they sign in, and what of that may be changed here. */
export const loginQuery = queryOptions({
  queryKey: ['login'],
  queryFn: ({ signal }) => bodyOf(personApi.GET('/api/v1/me/login', { signal })),
})

/** Those that the person is a member of. */
export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: ({ signal }) => bodyOf(personApi.GET('/api/v1/organizations', { signal })),
})

/** As many as one answer holds. */
const keysAtOnce = 200

/** All of them, page by page: names stand for keys everywhere. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => {
    const data: Schemas['Key'][] = []
    let cursor: string | null = null
    do {
      const query = { limit: keysAtOnce, ...(cursor !== null && { cursor }) }
      const page: KeyPage = await bodyOf(api.GET('/api/v1/me/keys', { params: { query }, signal })).catch(
        noneShown,
      )
      data.push(...page.data)
      cursor = page.next_cursor
    } while (cursor !== null)
    return { data }
  },
})

/** To a role that may not see keys there are none. */
function noneShown(error: unknown): KeyPage {
  if (!(error instanceof ApiFailure) || error.status !== 403) throw error
  return { object: 'list', data: [], has_more: false, next_cursor: null }
}

/** At the embedded provider; with another one there are none here. */
export const connectedAppsQuery = queryOptions({
  queryKey: ['apps'],
  queryFn: ({ signal }) => bodyOf(personApi.GET('/api/v1/me/connected-apps', { signal })),
})

export { modelsQuery } from './model-queries.ts'
