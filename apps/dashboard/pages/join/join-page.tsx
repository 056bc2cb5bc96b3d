import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { actFor } from '../../api/acting.ts'
import { ApiFailure } from '../../api/api-failure.ts'
import { bodyOf, personApi, type Schemas } from '../../api/client.ts'
import { roleWords } from '../../api/roles.ts'
import { roleNames } from '../../api/role-names.ts'
import { usePerson } from '../../api/use-person.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { FailureNote } from '../../components/failure-note.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageButton } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { SendVerification } from '../../components/send-verification.tsx'
import { timeOf } from '../../format/time.ts'
import { IconUsers } from '../../icons/icons.ts'

/** The invitation was used, revoked or never made, or its code was truncated. */
const isUseless = (error: unknown): boolean => error instanceof ApiFailure && error.param === 'code'

/** Why an existing invitation can no longer be accepted. */
function endingOf(error: Error | null): string | undefined {
  const match = error === null ? null : /this invitation .*/.exec(error.message)
  return match === null ? undefined : match[0].replace(/^t/, 'T')
}

/** The target of an invitation's link. It shows the organization before anybody joins. */
export function JoinPage() {
  // The code is in the fragment, which browsers do not send to servers.
  const [code] = useState(() => location.hash.slice(1))
  const query = useQuery({
    queryKey: ['invitation-preview', code],
    queryFn: ({ signal }) =>
      bodyOf(personApi.POST('/api/v1/organization-invitations/preview', { body: { code }, signal })),
    enabled: code !== '',
    gcTime: 0,
  })
  return (
    <>
      <PageHeader title="Join an organization" />
      <Panel maw={560}>
        {code === '' || isUseless(query.error) ? (
          <EmptyNote icon={IconUsers} title="This link is not valid">
            <Stack align="center">
              {endingOf(query.error) ?? 'It was revoked, or part of it is missing. Ask for a new one.'}
              <PageButton to="/" variant="default">
                To your account
              </PageButton>
            </Stack>
          </EmptyNote>
        ) : query.data !== undefined ? (
          <Invitation preview={query.data} code={code} />
        ) : query.error !== null ? (
          <FailureNote error={query.error} onRetry={() => void query.refetch()} isWithin />
        ) : (
          <Skeleton height={220} />
        )}
      </Panel>
    </>
  )
}

interface InvitationProps {
  preview: Schemas['OrganizationInvitationPreview']
  code: string
}

function Invitation({ preview, code }: InvitationProps) {
  const { data: person } = usePerson()
  const { organization_name: name, role, is_for_address: isForAddress, expires_at: end } = preview
  const joining = useMutation({
    mutationFn: () => bodyOf(personApi.POST('/api/v1/organization-invitations/accept', { body: { code } })),
    onSuccess: ({ id }) => actFor(id),
  })
  return (
    <Stack>
      <Text>
        You are invited to join{' '}
        <strong style={{ overflowWrap: 'anywhere' }}>
          <bdi>{name}</bdi>
        </strong>{' '}
        as {roleNames[role]}.
      </Text>
      <Text size="sm" c="dimmed">
        {roleWords[role]} Its owners and admins will see your name and email address. Your own account, credit
        and keys stay private.
      </Text>
      {isForAddress && (
        <Alert color="yellow" variant="light">
          <Stack gap="sm">
            <Text size="sm">
              This invitation is for one address. You are signed in with {person?.email ?? 'no address'}
              {person?.email_verified === false &&
                ', which is not verified. Open this invitation from its email, or verify your address first'}
              .
            </Text>
            {person?.email_verified === false && <SendVerification label="Email me a verification link" />}
          </Stack>
        </Alert>
      )}
      {joining.error !== null && <FailureNote error={joining.error} />}
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          Until {timeOf(end)}.
        </Text>
        <Group gap="sm">
          <PageButton to="/" variant="default">
            Not now
          </PageButton>
          <Button loading={joining.isPending} onClick={() => joining.mutate()}>
            Join
          </Button>
        </Group>
      </Group>
    </Stack>
  )
}
