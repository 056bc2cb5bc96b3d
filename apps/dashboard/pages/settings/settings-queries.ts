import { queryOptions } from '@tanstack/react-query'
import { api, bodyOf, personApi } from '../../api/client.ts'

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => bodyOf(personApi.GET('/api/v1/me/sessions', { signal })),
})

export const billingQuery = queryOptions({
  queryKey: ['billing'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/me/billing', { signal })),
})

/** What closing means now: asked for anew each time. */
export const closingQuery = queryOptions({
  queryKey: ['closing'],
  queryFn: ({ signal }) => bodyOf(personApi.GET('/api/v1/me/closing', { signal })),
  gcTime: 0,
})
