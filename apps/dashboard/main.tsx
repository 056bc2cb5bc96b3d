import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './theme/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { openSession } from './sign-in/session.ts'
import { StartFailure } from './sign-in/start-failure.tsx'
import { ThemeProvider } from './theme/theme-provider.tsx'

const root = createRoot(document.getElementById('root')!)

try {
  const session = await openSession()
  root.render(
    <StrictMode>
      <App session={session} />
    </StrictMode>,
  )
} catch (error) {
  root.render(
    <ThemeProvider>
      <StartFailure error={error} />
    </ThemeProvider>,
  )
}
