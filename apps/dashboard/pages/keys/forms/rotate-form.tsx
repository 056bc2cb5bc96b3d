import { Select, Text } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { drawersOf, namesOf, payerOf } from '../../../api/payers.ts'
import { useKeyMade } from '../../../api/use-key-made.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'

interface RotateFormProps {
  rotated: Schemas['Key']
  keys: Schemas['Key'][]
  onMade: (key: Schemas['CreatedKey']) => void
  onCancel: () => void
}

const graces = [
  { value: '0', label: 'No, stop it now' },
  { value: '3600', label: 'For 1 hour' },
  { value: '86400', label: 'For 1 day' },
  { value: '604800', label: 'For 7 days' },
]

export function RotateForm({ rotated, keys, onMade, onCancel }: RotateFormProps) {
  const [grace, setGrace] = useState('3600')
  const drawers = drawersOf(rotated, keys)
  const rotation = useKeyMade((header) => {
    const params = { path: { key_id: rotated.id }, header }
    return api.POST('/api/v1/me/keys/{key_id}/rotate', { params, body: { grace_seconds: Number(grace) } })
  }, onMade)
  return (
    <ChangeForm change={rotation} submit="Rotate key" onCancel={onCancel}>
      <Text size="sm">
        A new key replaces <strong>{rotated.name}</strong>, with the same name, limits and credit. It is shown
        only once.
      </Text>
      {drawers.length > 0 && (
        <Text size="sm">
          Keys that use its credit will use the credit of the new one: {namesOf(drawers)}.
        </Text>
      )}
      <Select
        label="Keep the old key working"
        description={graceWords(rotated, keys)}
        allowDeselect={false}
        data={graces}
        value={grace}
        onChange={(value) => value !== null && setGrace(value)}
      />
    </ChangeForm>
  )
}

function graceWords(rotated: Schemas['Key'], keys: readonly Schemas['Key'][]): string {
  const payer = rotated.draws_on === null ? undefined : payerOf(rotated, keys)
  return (
    'This gives you time to replace it. ' +
    (payer === undefined
      ? 'The old key spends the credit of the new one.'
      : `Both spend the credit of ${payer.name}.`)
  )
}
