import type { FetchQueryOptions, QueryClient } from '@tanstack/react-query'
import type { Session } from '../sign-in/session.ts'

/**
 * Starts the queries of a page without waiting for them. Without a signed-in user it only does so for open
 * pages.
 */
export function ahead(
  { queryClient, session }: { queryClient: QueryClient; session: Session },
  queries: Record<string, object>,
  isOpen = false,
): void {
  if (session.user === undefined && !isOpen) return
  for (const query of Object.values(queries)) void queryClient.prefetchQuery(query as FetchQueryOptions)
}
