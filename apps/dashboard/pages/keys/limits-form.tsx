import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { makeStale } from '../../api/stale.ts'
import { ChangeForm } from '../../components/change-form.tsx'
import { timeOf } from '../../format/time.ts'
import { LimitFields } from './limit-fields.tsx'
import { limitsBody, limitsOf } from './limit-values.ts'

export function LimitsForm({ changed, onDone }: { changed: Schemas['Key']; onDone: () => void }) {
  const queryClient = useQueryClient()
  const [name, setName] = useState(changed.name)
  const [limits, setLimits] = useState(() => limitsOf(changed))
  const change = useMutation({
    mutationFn: () => {
      const body = {
        ...(name.trim() !== changed.name && { name: name.trim() }),
        ...limitsBody(limits, Date.now(), limitsOf(changed)),
      }
      const params = { path: { key_id: changed.id } }
      return bodyOf(api.PATCH('/api/v1/me/keys/{key_id}', { params, body }))
    },
    onSuccess: async () => {
      await makeStale(queryClient, 'keys')
      onDone()
    },
  })
  return (
    <ChangeForm change={change} submit="Save" isComplete={name.trim() !== ''} onCancel={onDone}>
      <TextInput
        label="Name"
        required
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <LimitFields
        values={limits}
        onChange={setLimits}
        expiresNow={changed.expires_at === null ? undefined : timeOf(changed.expires_at)}
      />
    </ChangeForm>
  )
}
