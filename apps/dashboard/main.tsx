import '@mantine/core/styles.css'
import './theme/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { newQueryClient } from './api/query-client.ts'
import { watchReach } from './api/reach.ts'
import { App } from './app.tsx'
import { newRouter } from './router.tsx'
import { openSession } from './sign-in/session.ts'
import { StartFailure } from './sign-in/start-failure.tsx'
import { ThemeProvider } from './theme/theme-provider.tsx'

const root = createRoot(document.getElementById('root')!)

/**
 * Not awaited at the top level: chunks that load later import this module, and would wait for it forever.
 */
async function start(): Promise<void> {
  try {
    const session = await openSession()
    const queryClient = newQueryClient()
    watchReach(queryClient)
    const router = newRouter({ queryClient, session })
    // Loads the page's code and data while the shell renders.
    void router.load()
    root.render(
      <StrictMode>
        <App router={router} />
      </StrictMode>,
    )
  } catch (error) {
    root.render(
      <ThemeProvider>
        <StartFailure error={error} />
      </ThemeProvider>,
    )
  }
}

void start()
