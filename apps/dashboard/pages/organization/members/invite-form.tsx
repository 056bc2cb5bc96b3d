import { Alert, Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { accountQuery } from '../../../api/queries.ts'
import { roleNames, type Role } from '../../../api/role-names.ts'
import { useChange } from '../../../api/use-change.ts'
import { useIdempotencyKey } from '../../../api/use-idempotency-key.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { CodeBlock } from '../../../components/code-block.tsx'
import { TextField } from '../../../components/forms/text-field.tsx'
import { timeOf } from '../../../format/time.ts'
import { RoleField } from './role-field.tsx'

/** The link is shown once: the gateway only stores a hash of its code. */
export function InviteForm({ onDone }: { onDone: () => void }) {
  const { data: me } = useQuery(accountQuery)
  const [role, setRole] = useState<Role>('developer')
  const [email, setEmail] = useState('')
  const [made, setMade] = useState<Schemas['CreatedOrganizationInvitation']>()
  const { idempotencyKey, change } = useIdempotencyKey()
  const invitation = useChange('members', setMade, () => {
    const params = { header: { 'Idempotency-Key': idempotencyKey } }
    const body = { role, ...(email.trim() !== '' && { email: email.trim() }) }
    return api.POST('/api/v1/organization/invitations', { params, body })
  })
  if (made !== undefined) return <Made made={made} onDone={onDone} />
  return (
    <ChangeForm
      change={invitation}
      submit="Create invitation"
      fieldNames={['role', 'email']}
      onCancel={onDone}
    >
      <TextField
        name="email"
        label="Address (optional)"
        description="If set, only someone with this verified address can join. We email the link if possible."
        maxLength={320}
        data-autofocus
        value={email}
        onChange={(value) => change(() => setEmail(value))}
      />
      <RoleField role={role} givenBy={me?.role} onChange={(value) => change(() => setRole(value))} />
    </ChangeForm>
  )
}

interface MadeProps {
  made: Schemas['CreatedOrganizationInvitation']
  onDone: () => void
}

function Made({ made: { url, email, role, expires_at: end, mailed }, onDone }: MadeProps) {
  return (
    <Stack>
      <Text size="sm">
        {mailed ? 'This link was emailed to ' : 'Send this link to '}
        <strong>{email ?? 'the person you invite'}</strong>. Whoever opens it signs in and joins as{' '}
        {roleNames[role]}. It works once, until {timeOf(end)}.
      </Text>
      <CodeBlock code={absolute(url)} label="The link" wrap />
      <Alert color="yellow" variant="light">
        It will not be shown again, since the gateway stores only its hash.
      </Alert>
      <Button onClick={onDone}>I have saved it</Button>
    </Stack>
  )
}

/** A gateway without a configured public address returns a path. */
function absolute(url: string): string {
  return new URL(url, location.origin).href
}
