import { queryOptions } from '@tanstack/react-query'
import { hasUser } from './access.ts'
import { api, bodyOf, openApi } from './client.ts'

/* Models as whoever looks may know them: as an account, or as everybody where they are open. */

const freshMs = 5 * 60_000

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) =>
    bodyOf(
      hasUser() ? api.GET('/api/v1/models', { signal }) : openApi.GET('/api/v1/public/models', { signal }),
    ),
  staleTime: freshMs,
})

/** Who serves it, and how they did. */
export const providersQuery = (model: string) =>
  queryOptions({
    queryKey: ['models', 'providers', model],
    queryFn: ({ signal }) => {
      const asked = { params: { query: { model } }, signal }
      return bodyOf(
        hasUser()
          ? api.GET('/api/v1/models/providers', asked)
          : openApi.GET('/api/v1/public/models/providers', asked),
      )
    },
    staleTime: 60_000,
    // Another model's providers are not shown meanwhile.
    placeholderData: undefined,
  })
