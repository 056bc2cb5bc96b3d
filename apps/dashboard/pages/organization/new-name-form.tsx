import { Text } from '@mantine/core'
import { useState } from 'react'
import type { Asked } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts'
import { ChangeForm } from '../../components/forms/change-form.tsx'
import { TextField } from '../../components/forms/text-field.tsx'

interface NewNameFormProps<Made> {
  submit: string
  placeholder: string
  /** What the user should know before. */
  note: string
  make: (name: string, params: { header: { 'Idempotency-Key': string } }) => Asked<Made>
  onMade: (made: Made) => void
  onCancel: () => void
}

/** Creates something that only has a name at first. */
export function NewNameForm<Made>(props: NewNameFormProps<Made>) {
  const { submit, placeholder, note, make, onMade, onCancel } = props
  const [name, setName] = useState('')
  const { idempotencyKey, change } = useIdempotencyKey()
  const header = { 'Idempotency-Key': idempotencyKey }
  const creation = useChange('members', onMade, () => make(name.trim(), { header }))
  return (
    <ChangeForm
      change={creation}
      submit={submit}
      isComplete={name.trim() !== ''}
      fieldNames={['name']}
      onCancel={onCancel}
    >
      <TextField
        name="name"
        label="Name"
        placeholder={placeholder}
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(value) => change(() => setName(value))}
      />
      <Text size="sm" c="dimmed">
        {note}
      </Text>
    </ChangeForm>
  )
}
