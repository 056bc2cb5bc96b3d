import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf } from './client.ts'

/** What more than one page asks for. The first part of a key is what a change makes stale (`stale.ts`). */

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/me', { signal })),
})

const keysAtOnce = 200

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) =>
    bodyOf(api.GET('/api/v1/me/keys', { params: { query: { limit: keysAtOnce } }, signal })),
})

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/models', { signal })),
  staleTime: 5 * 60_000,
})
