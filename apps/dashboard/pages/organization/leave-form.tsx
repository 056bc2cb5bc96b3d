import { Text } from '@mantine/core'
import { useState } from 'react'
import { actFor } from '../../api/acting.ts'
import { api } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { ChangeForm } from '../../components/forms/change-form.tsx'
import { KeyFateField, type KeyFate } from './members/key-fate.tsx'

interface LeaveFormProps {
  /** The organization's name. */
  name: string
  onCancel: () => void
}

/** Ends the person's own membership; afterwards the tab acts for their own account. */
export function LeaveForm({ name, onCancel }: LeaveFormProps) {
  const [keys, setKeys] = useState<KeyFate>('organization')
  const leaving = useChange(
    'account',
    () => actFor(undefined),
    () => api.POST('/api/v1/organization/leave', { body: { keys } }),
  )
  return (
    <ChangeForm change={leaving} submit="Leave" isFinal fieldNames={['keys']} onCancel={onCancel}>
      <Text size="sm">
        You will lose access to <strong>{name}</strong>.
      </Text>
      <KeyFateField label="Your keys" value={keys} onChange={setKeys} />
    </ChangeForm>
  )
}
