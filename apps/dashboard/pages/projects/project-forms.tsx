import { Text } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts'
import { ChangeForm } from '../../components/forms/change-form.tsx'
import { TextField } from '../../components/forms/text-field.tsx'

type Project = Schemas['Project']

interface NameProjectFormProps {
  /** Absent: a new one is created. */
  renamed?: Project
  onDone: () => void
}

export function NameProjectForm({ renamed, onDone }: NameProjectFormProps) {
  const [name, setName] = useState(renamed?.name ?? '')
  const { idempotencyKey, change } = useIdempotencyKey()
  const body = { name: name.trim() }
  const header = { 'Idempotency-Key': idempotencyKey }
  const path = '/api/v1/projects/{project_id}'
  const saving = useChange('projects', onDone, () =>
    renamed === undefined
      ? api.POST('/api/v1/projects', { params: { header }, body })
      : api.PATCH(path, { params: { path: { project_id: renamed.id } }, body }),
  )
  return (
    <ChangeForm
      change={saving}
      submit={renamed === undefined ? 'Create project' : 'Save'}
      isComplete={body.name !== '' && body.name !== renamed?.name}
      fieldNames={['name']}
      onCancel={onDone}
    >
      <TextField
        name="name"
        label="Name"
        placeholder="search"
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(value) => change(() => setName(value))}
      />
    </ChangeForm>
  )
}

export function ArchiveForm({ archived, onDone }: { archived: Project; onDone: () => void }) {
  const path = '/api/v1/projects/{project_id}'
  const change = useChange('projects', onDone, () =>
    api.DELETE(path, { params: { path: { project_id: archived.id } } }),
  )
  return (
    <ChangeForm change={change} submit="Archive" isFinal onCancel={onDone}>
      <Text size="sm">
        No more keys can be added to <strong>{archived.name}</strong>. Existing keys keep working, and its
        usage is kept. This cannot be undone.
      </Text>
    </ChangeForm>
  )
}
