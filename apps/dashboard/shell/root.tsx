import { useLocation } from '@tanstack/react-router'
import { SignInPage } from '../sign-in/sign-in-page.tsx'
import { useSession } from '../sign-in/session-context.ts'
import { isOpenPath, PublicShell } from './public-shell.tsx'
import { Shell } from './shell.tsx'

export function Root() {
  const { user, hasPublicModels } = useSession()
  const { pathname } = useLocation()
  if (user !== undefined) return <Shell />
  return hasPublicModels && isOpenPath(pathname) ? <PublicShell /> : <SignInPage />
}
