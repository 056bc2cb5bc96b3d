import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { makeStale } from './stale.ts'

/** A change of a form: done once what it made stale has been asked for again. */
export function useChange<Result>(
  stale: Parameters<typeof makeStale>[1],
  change: () => Promise<Result>,
  onDone: (result: Result) => void | Promise<void>,
): UseMutationResult<Result, Error, void> {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async (result) => {
      await makeStale(queryClient, stale)
      await onDone(result)
    },
  })
}
