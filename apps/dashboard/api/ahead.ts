import type { FetchQueryOptions, QueryClient } from '@tanstack/react-query'
import type { Session } from '../sign-in/session.ts'

/**
 * Asks for what a page will show, and does not wait for it. Who is not signed in is shown no page, but for
 * those that are open.
 */
export function ahead(
  { queryClient, session }: { queryClient: QueryClient; session: Session },
  queries: Record<string, object>,
  isOpen = false,
): void {
  if (session.user === undefined && !isOpen) return
  for (const query of Object.values(queries)) void queryClient.prefetchQuery(query as FetchQueryOptions)
}
