import { queryOptions } from '@tanstack/react-query'
import { hasUser } from './access.ts'
import { api, bodyOf, openApi } from './client.ts'

/* Models as the caller may see them: with an account, or publicly if the operator has opened the list. */

const freshMs = 5 * 60_000

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) =>
    bodyOf(
      hasUser() ? api.GET('/api/v1/models', { signal }) : openApi.GET('/api/v1/public/models', { signal }),
    ),
  staleTime: freshMs,
})

/** The providers of a model and their measured performance. */
export const providersQuery = (model: string) =>
  queryOptions({
    queryKey: ['models', 'providers', model],
    queryFn: ({ signal }) => {
      const options = { params: { query: { model } }, signal }
      return bodyOf(
        hasUser()
          ? api.GET('/api/v1/models/providers', options)
          : openApi.GET('/api/v1/public/models/providers', options),
      )
    },
    staleTime: 60_000,
    // Do not show another model's providers meanwhile.
    placeholderData: undefined,
  })
