import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FailureNote } from './failure-note.tsx'

interface LoadedProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  /** As high as what will be there, so that nothing moves. */
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

/** What was read, while it is read, and where it cannot be. What is there already is not taken away. */
export function Loaded<Data>({ query: { data, error, refetch }, skeleton, children }: LoadedProps<Data>) {
  if (data !== undefined) return <>{children(data)}</>
  if (error !== null) return <FailureNote error={error} onRetry={() => void refetch()} isWithin />
  return <div aria-busy="true">{skeleton}</div>
}
