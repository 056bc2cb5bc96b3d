import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { api, bodyOf } from './client.ts'

/** Whether prompts and answers are kept, and what they take. */
export const promptLogQuery = queryOptions({
  queryKey: ['log'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/me/prompt-log', { signal })),
})

export const requestLogQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['request', requestId, 'log'],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/usage/requests/{request_id}/log', {
          params: { path: { request_id: requestId } },
          signal,
        }),
      ),
    // What is kept does not change; a deletion is told by the page that asks for it.
    staleTime: Infinity,
    retry: false,
  })

/** What was deleted is not in this tab's memory, either. */
export function forgetLogs(queryClient: QueryClient): void {
  queryClient.removeQueries({ queryKey: ['request'] })
}
