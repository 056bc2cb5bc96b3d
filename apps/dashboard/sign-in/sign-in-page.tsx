import { Alert, Button, Center, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { PageLink } from '../components/page-link.tsx'
import { Mark } from '../shell/mark.tsx'
import { useSession } from './session-context.ts'

/** What everybody sees who is not signed in. Passwords are the identity provider's affair. */
export function SignInPage() {
  const session = useSession()
  const signIn = useMutation({ mutationFn: () => session.signIn() })
  const problem = session.problem ?? signIn.error?.message
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p={{ base: 'lg', sm: 36 }} w="100%" maw={420} radius="lg">
        <Stack gap="lg">
          <Mark size={44} />
          <Stack gap={6}>
            <Title order={1} size="h2">
              Turnpike
            </Title>
            <Text c="dimmed">
              One API key for every vendor&rsquo;s models. See what each request costs, and who spent it.
            </Text>
          </Stack>
          {problem !== undefined && (
            <Alert color="red" title="The sign-in did not work" role="alert">
              {problem}
            </Alert>
          )}
          {isSecureContext ? (
            <Button size="md" px="xs" fullWidth loading={signIn.isPending} onClick={() => signIn.mutate()}>
              Sign in or create an account
            </Button>
          ) : (
            <Alert color="yellow" title="This address is not secure">
              Browsers sign in over https only. Open the dashboard at the gateway&rsquo;s https address.
            </Alert>
          )}
          {session.hasPublicModels && (
            <PageLink to="/models" ta="center">
              See the models and their prices
            </PageLink>
          )}
        </Stack>
      </Paper>
    </Center>
  )
}
