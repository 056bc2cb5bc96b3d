import type { FetchQueryOptions, QueryClient } from '@tanstack/react-query'
import type { Session } from '../sign-in/session.ts'

/**
 * Asks for what a page will show, and for code that it will need; waits for none of it. Who is not signed in
 * is shown no page.
 */
export function ahead(
  { queryClient, session }: { queryClient: QueryClient; session: Session },
  queries: Record<string, object>,
  code?: () => Promise<unknown>,
): void {
  if (session.user === undefined) return
  for (const query of Object.values(queries)) void queryClient.prefetchQuery(query as FetchQueryOptions)
  // Where it does not arrive, the page that needs it says so.
  void code?.().catch(() => undefined)
}
