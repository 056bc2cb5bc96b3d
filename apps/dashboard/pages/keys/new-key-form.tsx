import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useKeyMade } from '../../api/use-key-made.ts'
import { ChangeForm } from '../../components/change-form.tsx'
import { LimitFields, settingNames } from './limit-fields.tsx'
import { limitsBody, noLimits, type LimitValues } from './limit-values.ts'
import { NameField } from './name-field.tsx'

interface NewKeyFormProps {
  onMade: (key: Schemas['CreatedKey']) => void
  onCancel: () => void
}

/** A name, and limits where they are wanted. */
export function NewKeyForm({ onMade, onCancel }: NewKeyFormProps) {
  const [name, setName] = useState('')
  const [limits, setLimits] = useState<LimitValues>(noLimits)
  const creation = useKeyMade((header) => {
    const body = { name: name.trim(), ...limitsBody(limits, Date.now()) }
    return api.POST('/api/v1/me/keys', { params: { header }, body })
  }, onMade)
  return (
    <ChangeForm
      change={creation}
      submit="Create the key"
      isComplete={name.trim() !== ''}
      fieldNames={settingNames}
      onCancel={onCancel}
    >
      <NameField
        description="What will use it: a program, a machine, a person."
        placeholder="billing-service"
        name={name}
        onChange={setName}
      />
      <LimitFields values={limits} onChange={setLimits} />
    </ChangeForm>
  )
}
