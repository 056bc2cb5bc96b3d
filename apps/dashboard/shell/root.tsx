import { SignInPage } from '../sign-in/sign-in-page.tsx'
import { useSession } from '../sign-in/session-context.ts'
import { Shell } from './shell.tsx'

export function Root() {
  const { user } = useSession()
  return user === undefined ? <SignInPage /> : <Shell />
}
