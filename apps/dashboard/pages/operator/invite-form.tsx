import { Alert, Button, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { ChangeForm } from '../../components/change-form.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { TextField } from '../../components/text-field.tsx'
import { timeOf } from '../../format/time.ts'

const terms = [
  { value: '1', label: 'A day' },
  { value: '7', label: 'A week' },
  { value: '30', label: '30 days' },
  { value: '365', label: 'A year' },
]

/** The code is shown once: the gateway keeps only its hash. */
export function InviteForm({ onDone }: { onDone: () => void }) {
  const [email, setEmail] = useState('')
  const [days, setDays] = useState('7')
  const [made, setMade] = useState<{ code: string; email: string | null; expires_at: number }>()
  const change = useChange(
    'operator',
    () =>
      bodyOf(
        api.POST('/api/v1/admin/identity/invites', {
          body: { ...(email.trim() !== '' && { email: email.trim() }), expires_in_days: Number(days) },
        }),
      ),
    setMade,
  )
  if (made !== undefined)
    return (
      <Stack>
        <Text size="sm">
          Send this code to <strong>{made.email ?? 'whom you invite'}</strong>. It is asked for where an
          account is created at <bdi>{location.origin}</bdi>, serves once, and until {timeOf(made.expires_at)}
          .
        </Text>
        <CodeBlock code={made.code} label="The code" wrap />
        <Alert color="yellow" variant="light">
          It is not shown again: the gateway keeps only its hash.
        </Alert>
        <Button onClick={onDone}>I saved it</Button>
      </Stack>
    )
  return (
    <ChangeForm
      change={change}
      submit="Make the invitation"
      fieldNames={['email', 'expires_in_days']}
      onCancel={onDone}
    >
      <TextField
        name="email"
        label="Address (optional)"
        description={
          'Your word for it: whoever brings the code has this address from then on. ' +
          'Without one, the code is good for anybody.'
        }
        data-autofocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Select
        label="Good for"
        allowDeselect={false}
        data={terms}
        value={days}
        onChange={(value) => value !== null && setDays(value)}
      />
    </ChangeForm>
  )
}

export function WithdrawForm({ invite, onDone }: { invite: Schemas['Invite']; onDone: () => void }) {
  const change = useChange(
    'operator',
    () =>
      bodyOf(
        api.DELETE('/api/v1/admin/identity/invites/{invite_id}', {
          params: { path: { invite_id: invite.id } },
        }),
      ),
    onDone,
  )
  return (
    <ChangeForm change={change} submit="Take it back" isFinal onCancel={onDone}>
      <Text size="sm">
        The code of the invitation {invite.email !== null && 'of '}
        <strong>
          <bdi>{invite.email ?? ''}</bdi>
        </strong>{' '}
        serves nobody any more. That cannot be undone; a new one can be made.
      </Text>
    </ChangeForm>
  )
}
