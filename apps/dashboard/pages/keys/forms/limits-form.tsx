import { useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { timeOf } from '../../../format/time.ts'
import { LimitFields, settingNames } from './limit-fields.tsx'
import { limitsBody, limitsOf } from './limit-values.ts'
import { TextField } from '../../../components/forms/text-field.tsx'

export function LimitsForm({ changed, onDone }: { changed: Schemas['Key']; onDone: () => void }) {
  const [name, setName] = useState(changed.name)
  const [limits, setLimits] = useState(() => limitsOf(changed))
  const change = useChange('keys', onDone, () => {
    const body = {
      ...(name.trim() !== changed.name && { name: name.trim() }),
      ...limitsBody(limits, Date.now(), limitsOf(changed)),
    }
    const params = { path: { key_id: changed.id } }
    return api.PATCH('/api/v1/me/keys/{key_id}', { params, body })
  })
  return (
    <ChangeForm
      change={change}
      submit="Save"
      isComplete={name.trim() !== ''}
      fieldNames={settingNames}
      onCancel={onDone}
    >
      <TextField
        name="name"
        label="Name"
        required
        maxLength={100}
        data-autofocus
        value={name}
        onChange={setName}
      />
      <LimitFields
        values={limits}
        onChange={setLimits}
        expiresNow={changed.expires_at === null ? undefined : timeOf(changed.expires_at)}
      />
    </ChangeForm>
  )
}
