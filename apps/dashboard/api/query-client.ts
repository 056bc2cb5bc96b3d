import { keepPreviousData, QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './api-failure.ts'

const freshMs = 15_000
const maxRetries = 2

/** What is shown stays until there is something newer: nothing flickers. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        // Whether there is a network is found out by asking: a gateway on this machine needs none.
        networkMode: 'always',
        placeholderData: keepPreviousData,
        retry: (count, error) => count < maxRetries && error instanceof ApiFailure && error.isPassing,
      },
      mutations: { networkMode: 'always' },
    },
  })
}
