import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { renewToken } from '../../api/access.ts'
import { ApiFailure } from '../../api/api-failure.ts'
import { bodyOf, personApi, type Schemas } from '../../api/client.ts'
import { makeStale } from '../../api/stale.ts'
import { usePerson } from '../../api/use-person.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { FailureNote } from '../../components/failure-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageButton } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { SendVerification } from '../../components/send-verification.tsx'
import { IconAlertTriangle, IconCheck } from '../../icons/icons.ts'

/** The target of a verification link. It requires a click, because mail scanners open links. */
export function VerifyEmailPage() {
  // The code is in the fragment, which browsers do not send to servers.
  const [code] = useState(() => location.hash.slice(1))
  const person = usePerson()
  return (
    <>
      <PageHeader title="Verify your email address" />
      <Panel maw={560}>
        <Loaded query={person} skeleton={<Skeleton height={160} />}>
          {(me) => (code === '' ? <NoCode /> : <Proof me={me} code={code} />)}
        </Loaded>
      </Panel>
    </>
  )
}

function NoCode() {
  return (
    <EmptyNote icon={IconAlertTriangle} title="This link is incomplete">
      <Stack align="center">
        Open the full link from the email.
        <SendVerification />
      </Stack>
    </EmptyNote>
  )
}

function Proof({ me, code }: { me: Schemas['Me']; code: string }) {
  const queryClient = useQueryClient()
  const proving = useMutation({
    mutationFn: async () => {
      const proved = await bodyOf(personApi.POST('/api/v1/me/login/verify-email/confirm', { body: { code } }))
      // Some permissions depend on a verified address, and the token contains them: get a new one.
      await renewToken()
      return proved
    },
    onSuccess: async () => {
      await makeStale(queryClient, 'account')
      history.replaceState(history.state, '', location.pathname)
    },
  })
  if (proving.data !== undefined) return <Done email={proving.data.email} />
  return (
    <Stack>
      <Text>
        You are signed in{me.display_name === null ? '' : ` as ${me.display_name}`}
        {me.email !== null && (
          <>
            , with <strong style={{ overflowWrap: 'anywhere' }}>{me.email}</strong>
          </>
        )}
        . Continue only if this account is yours. It then gets the address that the email was sent to.
      </Text>
      {proving.error !== null && (
        <>
          <FailureNote error={proving.error} />
          {proving.error instanceof ApiFailure && proving.error.param === 'code' && <SendVerification />}
        </>
      )}
      <Group justify="flex-end" gap="sm">
        <PageButton to="/" variant="default">
          Not now
        </PageButton>
        <Button loading={proving.isPending} onClick={() => proving.mutate()}>
          Verify address
        </Button>
      </Group>
    </Stack>
  )
}

function Done({ email }: { email: string }) {
  return (
    <Stack>
      <Alert role="status" color="teal" icon={<IconCheck size={18} />} title="Verified">
        <Text size="sm">
          <strong style={{ overflowWrap: 'anywhere' }}>{email}</strong> is verified. You will receive
          invitations and alerts there.
        </Text>
      </Alert>
      <Group justify="flex-end">
        <PageButton to="/">To your account</PageButton>
      </Group>
    </Stack>
  )
}
