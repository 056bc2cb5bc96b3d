import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { readQuery } from './read-query.ts'

/** Whether prompts and answers are kept, and how much space they use. */
export const promptLogQuery = readQuery(['log'], '/api/v1/me/prompt-log')

export const requestLogQuery = (requestId: string) =>
  queryOptions({
    ...readQuery(['request', requestId, 'log'], '/api/v1/usage/requests/{request_id}/log', {
      path: { request_id: requestId },
    }),
    // A kept prompt does not change. The page that deletes it updates the cache.
    staleTime: Infinity,
    retry: false,
  })

/** Also removes deleted prompts from this tab's memory. */
export function forgetLogs(queryClient: QueryClient): void {
  queryClient.removeQueries({ queryKey: ['request'] })
}
