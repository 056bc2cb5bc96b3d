import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FailureNote } from './failure-note.tsx'

interface LoadedProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  /** As high as the content, so that nothing moves. */
  skeleton: ReactNode
  children: (data: Data) => ReactNode
}

/** Shows loaded data, a skeleton while it loads, or an error. Data that is on screen stays. */
export function Loaded<Data>({ query: { data, error, refetch }, skeleton, children }: LoadedProps<Data>) {
  if (data !== undefined) return <>{children(data)}</>
  if (error !== null) return <FailureNote error={error} onRetry={() => void refetch()} isWithin />
  return <div aria-busy="true">{skeleton}</div>
}
