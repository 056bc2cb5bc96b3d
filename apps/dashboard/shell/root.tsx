import { Outlet, useMatches } from '@tanstack/react-router'
import { SignInPage } from '../sign-in/sign-in-page.tsx'
import { useSession } from '../sign-in/session-context.ts'
import { lazyPage } from './lazy-page.tsx'
import { Shell } from './shell.tsx'

/** Only needed without a sign-in. */
const PublicShell = lazyPage(() => import('./public-shell.tsx'), 'PublicShell')

export function Root() {
  const { user, hasPublicModels } = useSession()
  // Not the address: it already is that of the next page while the previous page is still shown.
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData })
  if (user !== undefined) return <Shell />
  if (page?.isForStrangers === true) return <Outlet />
  return hasPublicModels && page?.isOpen === true ? <PublicShell /> : <SignInPage />
}
