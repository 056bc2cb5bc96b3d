import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { newRouter } from './router.tsx'
import { SessionContext } from './sign-in/session-context.ts'
import { ThemeProvider } from './theme/theme-provider.tsx'

export function App({ router }: { router: ReturnType<typeof newRouter> }) {
  const { queryClient, session } = router.options.context
  return (
    <ThemeProvider>
      <SessionContext value={session}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </SessionContext>
    </ThemeProvider>
  )
}
