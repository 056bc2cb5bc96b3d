import { Alert, Button, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { ChangeForm } from '../../components/forms/change-form.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { TextField } from '../../components/forms/text-field.tsx'
import { timeOf } from '../../format/time.ts'

const terms = [
  { value: '1', label: 'A day' },
  { value: '7', label: 'A week' },
  { value: '30', label: '30 days' },
  { value: '365', label: 'A year' },
]

/** The code is shown once: the gateway only stores its hash. */
export function InviteForm({ onDone }: { onDone: () => void }) {
  const [email, setEmail] = useState('')
  const [days, setDays] = useState('7')
  const [made, setMade] = useState<{ code: string; email: string | null; expires_at: number }>()
  const change = useChange('operator', setMade, () =>
    api.POST('/api/v1/admin/identity/invites', {
      body: { ...(email.trim() !== '' && { email: email.trim() }), expires_in_days: Number(days) },
    }),
  )
  if (made !== undefined)
    return (
      <Stack>
        <Text size="sm">
          Send this code to <strong>{made.email ?? 'the person you invite'}</strong>. It is needed to create
          an account at <bdi>{location.origin}</bdi>, works once, and is valid until {timeOf(made.expires_at)}
          .
        </Text>
        <CodeBlock code={made.code} label="The code" wrap />
        <Alert color="yellow" variant="light">
          It will not be shown again, since the gateway stores only its hash.
        </Alert>
        <Button onClick={onDone}>I have saved it</Button>
      </Stack>
    )
  return (
    <ChangeForm
      change={change}
      submit="Create invitation"
      fieldNames={['email', 'expires_in_days']}
      onCancel={onDone}
    >
      <TextField
        name="email"
        label="Address (optional)"
        description={
          'You vouch for this address: whoever uses the code gets it. ' +
          'Without an address, anyone can use the code.'
        }
        data-autofocus
        value={email}
        onChange={setEmail}
      />
      <Select
        label="Valid for"
        allowDeselect={false}
        data={terms}
        value={days}
        onChange={(value) => value !== null && setDays(value)}
      />
    </ChangeForm>
  )
}

export function WithdrawForm({ invite, onDone }: { invite: Schemas['Invite']; onDone: () => void }) {
  const change = useChange('operator', onDone, () =>
    api.DELETE('/api/v1/admin/identity/invites/{invite_id}', {
      params: { path: { invite_id: invite.id } },
    }),
  )
  return (
    <ChangeForm change={change} submit="Revoke" isFinal onCancel={onDone}>
      <Text size="sm">
        The code of the invitation {invite.email !== null && 'of '}
        <strong>
          <bdi>{invite.email ?? ''}</bdi>
        </strong>{' '}
        will no longer work. This cannot be undone, but you can create a new one.
      </Text>
    </ChangeForm>
  )
}
