import { Text } from '@mantine/core'
import { useState } from 'react'
import { actFor } from '../../api/acting.ts'
import { bodyOf, personApi } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts'
import { ChangeForm } from '../../components/change-form.tsx'
import { TextField } from '../../components/text-field.tsx'

/** Made by whoever signed in, who is its owner; from then on the tab acts for it. */
export function NewOrganizationForm({ onCancel }: { onCancel: () => void }) {
  const [name, setName] = useState('')
  const { idempotencyKey, change } = useIdempotencyKey()
  const creation = useChange(
    'members',
    () => {
      const params = { header: { 'Idempotency-Key': idempotencyKey } }
      return bodyOf(personApi.POST('/api/v1/organizations', { params, body: { name: name.trim() } }))
    },
    ({ id }) => actFor(id, '/organization'),
  )
  return (
    <ChangeForm
      change={creation}
      submit="Make the organization"
      isComplete={name.trim() !== ''}
      fieldNames={['name']}
      onCancel={onCancel}
    >
      <TextField
        name="name"
        label="Name"
        placeholder="Acme"
        maxLength={100}
        data-autofocus
        value={name}
        onChange={({ currentTarget: { value } }) => change(() => setName(value))}
      />
      <Text size="sm" c="dimmed">
        It starts without credit and without keys: those of your own account stay yours.
      </Text>
    </ChangeForm>
  )
}
