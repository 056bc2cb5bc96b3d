import { keepPreviousData, QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './api-failure.ts'

const freshMs = 15_000
const maxRetries = 2

/** Data stays on screen until newer data arrives, so nothing flickers. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        // Send requests even if the browser reports no network: a gateway on this machine needs none.
        networkMode: 'always',
        placeholderData: keepPreviousData,
        retry: (count, error) => count < maxRetries && error instanceof ApiFailure && error.isPassing,
      },
      mutations: { networkMode: 'always' },
    },
  })
}
