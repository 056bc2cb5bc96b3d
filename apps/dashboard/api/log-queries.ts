import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { readQuery } from './read-query.ts'

/** Whether prompts and answers are kept, and what they take. */
export const promptLogQuery = readQuery(['log'], '/api/v1/me/prompt-log')

export const requestLogQuery = (requestId: string) =>
  queryOptions({
    ...readQuery(['request', requestId, 'log'], '/api/v1/usage/requests/{request_id}/log', {
      path: { request_id: requestId },
    }),
    // What is kept does not change; a deletion is told by the page that asks for it.
    staleTime: Infinity,
    retry: false,
  })

/** What was deleted is not in this tab's memory, either. */
export function forgetLogs(queryClient: QueryClient): void {
  queryClient.removeQueries({ queryKey: ['request'] })
}
