import { Alert, Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { FrontSheet } from '../components/front-sheet.tsx'
import { PageLink } from '../components/page-link.tsx'
import { useSession } from './session-context.ts'

/** Shown to users who are not signed in. Passwords are entered at the identity provider. */
export function SignInPage() {
  const session = useSession()
  const signIn = useMutation({ mutationFn: () => session.signIn() })
  const problem = session.problem ?? signIn.error?.message
  return (
    <FrontSheet
      title="Turnpike"
      description="One API key for every vendor’s models. See what each request costs, and who spent it."
    >
      {problem !== undefined && (
        <Alert color="red" title="Sign-in failed" role="alert">
          {problem}
        </Alert>
      )}
      {isSecureContext ? (
        <Button size="md" px="xs" fullWidth loading={signIn.isPending} onClick={() => signIn.mutate()}>
          Sign in or create an account
        </Button>
      ) : (
        <Alert color="yellow" title="This connection is not secure">
          You can only sign in over https. Open the dashboard at the gateway&rsquo;s https address.
        </Alert>
      )}
      {session.hasPublicModels && (
        <PageLink to="/models" ta="center">
          View models and prices
        </PageLink>
      )}
    </FrontSheet>
  )
}
