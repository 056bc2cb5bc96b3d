import { Text } from '@mantine/core'
import { useState } from 'react'
import { api, bodyOf } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts'
import { ChangeForm } from '../../components/change-form.tsx'
import { TextField } from '../../components/text-field.tsx'

/** A member without a login. */
export function ServiceForm({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('')
  const { idempotencyKey, change } = useIdempotencyKey()
  const creation = useChange(
    'members',
    () => {
      const params = { header: { 'Idempotency-Key': idempotencyKey } }
      return bodyOf(api.POST('/api/v1/organization/members', { params, body: { name: name.trim() } }))
    },
    onDone,
  )
  return (
    <ChangeForm
      change={creation}
      submit="Make the service account"
      isComplete={name.trim() !== ''}
      fieldNames={['name']}
      onCancel={onDone}
    >
      <TextField
        name="name"
        label="Name"
        placeholder="nightly-batch"
        maxLength={100}
        data-autofocus
        value={name}
        onChange={({ currentTarget: { value } }) => change(() => setName(value))}
      />
      <Text size="sm" c="dimmed">
        It cannot sign in. Make keys for it on the page of keys; what they spend stands under its name.
      </Text>
    </ChangeForm>
  )
}
