import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { bodyOf, type Asked } from './client.ts'
import { makeStale } from './stale.ts'

/**
 * A change that a form sends. It is complete once the stale queries have been refetched.
 * @param onDone undefined: nothing more to do
 * @param ask sends the request to the API
 */
export function useChange<Result>(
  stale: Parameters<typeof makeStale>[1],
  onDone: ((result: Result) => void | Promise<void>) | undefined,
  ask: () => Asked<Result>,
): UseMutationResult<Result, Error, void> {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => bodyOf(ask()),
    onSuccess: async (result) => {
      await makeStale(queryClient, stale)
      await onDone?.(result)
    },
  })
}
