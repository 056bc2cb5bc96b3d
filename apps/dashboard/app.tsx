import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useState } from 'react'
import { newQueryClient } from './api/query-client.ts'
import { newRouter } from './router.tsx'
import { SessionContext } from './sign-in/session-context.ts'
import type { Session } from './sign-in/session.ts'
import { ThemeProvider } from './theme/theme-provider.tsx'

export function App({ session }: { session: Session }) {
  const [queryClient] = useState(newQueryClient)
  const [router] = useState(newRouter)
  return (
    <ThemeProvider>
      <Notifications position="bottom-right" />
      <SessionContext value={session}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </SessionContext>
    </ThemeProvider>
  )
}
