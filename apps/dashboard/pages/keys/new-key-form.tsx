import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf, newIdempotencyKey, type Schemas } from '../../api/client.ts'
import { rememberRawKey } from '../../api/raw-keys.ts'
import { makeStale } from '../../api/stale.ts'
import { ChangeForm } from '../../components/change-form.tsx'
import { LimitFields } from './limit-fields.tsx'
import { limitsBody, noLimits, type LimitValues } from './limit-values.ts'

interface NewKeyFormProps {
  onMade: (key: Schemas['CreatedKey']) => void
  onCancel: () => void
}

/** A name, and limits where they are wanted. */
export function NewKeyForm({ onMade, onCancel }: NewKeyFormProps) {
  const queryClient = useQueryClient()
  const [name, setName] = useState('')
  const [limits, setLimits] = useState<LimitValues>(noLimits)
  const [idempotencyKey] = useState(newIdempotencyKey)
  const creation = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/v1/me/keys', {
          params: { header: { 'Idempotency-Key': idempotencyKey } },
          body: { name: name.trim(), ...limitsBody(limits, Date.now()) },
        }),
      ),
    onSuccess: async (made) => {
      rememberRawKey(made.id, made.raw)
      await makeStale(queryClient, 'keys')
      onMade(made)
    },
  })
  return (
    <ChangeForm change={creation} submit="Create the key" isComplete={name.trim() !== ''} onCancel={onCancel}>
      <TextInput
        label="Name"
        description="What will use it: a program, a machine, a person."
        placeholder="billing-service"
        required
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <LimitFields values={limits} onChange={setLimits} />
    </ChangeForm>
  )
}
