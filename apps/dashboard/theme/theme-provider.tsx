import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { styleNonce } from './nonce.ts'
import { cssVariables, theme } from './theme.ts'

export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      {children}
    </MantineProvider>
  )
}
