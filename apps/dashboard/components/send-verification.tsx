import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { bodyOf, personApi } from '../api/client.ts'
import { loginQuery } from '../api/queries.ts'
import { IconCheck } from '../icons/icons.ts'
import { FailureNote } from './failure-note.tsx'

/**
 * A button that sends the verification email; nothing if the address is verified, or the gateway sends no
 * email.
 */
export function SendVerification({ label = 'Send the email again' }: { label?: string }) {
  const { data: login } = useQuery(loginQuery)
  const sending = useMutation({
    mutationFn: () => bodyOf(personApi.POST('/api/v1/me/login/verify-email')),
  })
  if (login === undefined || login.email_verified || !login.sends_mail || login.email === null) return null
  if (sending.data !== undefined)
    return (
      <Alert role="status" color="teal" variant="light" icon={<IconCheck size={18} />}>
        <Text size="sm">
          We sent a link to <strong style={{ overflowWrap: 'anywhere' }}>{sending.data.email}</strong>. It is
          valid for a day.
        </Text>
      </Alert>
    )
  return (
    <Stack gap="sm">
      {sending.error !== null && <FailureNote error={sending.error} />}
      <Group>
        <Button variant="default" loading={sending.isPending} onClick={() => sending.mutate()}>
          {label}
        </Button>
      </Group>
    </Stack>
  )
}
