import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf, newIdempotencyKey, type Schemas } from '../../api/client.ts'
import { rememberRawKey } from '../../api/raw-keys.ts'
import { makeStale } from '../../api/stale.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { LimitFields } from './limit-fields.tsx'
import { limitsBody, noLimits, type LimitValues } from './limit-values.ts'

/** A name, and limits where they are wanted. */
export function NewKeyForm({ onMade }: { onMade: (key: Schemas['CreatedKey']) => void }) {
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
    <form
      onSubmit={(event) => {
        event.preventDefault()
        creation.mutate()
      }}
    >
      <Stack>
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
        {creation.error !== null && <FailureNote error={creation.error} />}
        <Button type="submit" loading={creation.isPending} disabled={name.trim() === ''}>
          Create the key
        </Button>
      </Stack>
    </form>
  )
}
