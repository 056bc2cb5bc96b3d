import { Group, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { memberName } from '../../../api/team.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { PageButton } from '../../../components/page-link.tsx'
import { countOf } from '../../../format/number.ts'
import { KeyFateField, type KeyFate } from './key-fate.tsx'

interface RemoveFormProps {
  removed: Schemas['Member']
  onDone: (removed: Schemas['RemovedMember']) => void
  onCancel: () => void
}

/** A removed member loses all access, except through secrets that they know. */
export function RemoveForm({ removed, onDone, onCancel }: RemoveFormProps) {
  const [keys, setKeys] = useState<KeyFate>()
  const removal = useChange('members', onDone, () => {
    const params = { path: { member_id: removed.id }, query: { keys: keys ?? 'organization' } }
    return api.DELETE('/api/v1/organization/members/{member_id}', { params })
  })
  return (
    <ChangeForm
      change={removal}
      submit="Remove"
      isComplete={keys !== undefined}
      isFinal
      fieldNames={['keys']}
      onCancel={onCancel}
    >
      <Text size="sm">
        <strong>{memberName(removed)}</strong> loses access to the organization. The usage of their keys stays
        under their name.
      </Text>
      <KeyFateField label="Their keys" value={keys} onChange={setKeys} />
    </ChangeForm>
  )
}

interface RemovedProps {
  removed: Schemas['RemovedMember']
  onDone: () => void
}

/** What is left to do: a removed member still knows the secrets of keys that stay in use. */
export function Removed({ removed, onDone }: RemovedProps) {
  const count = removed.key_count
  return (
    <Stack>
      <Text size="sm">
        {countOf(count, 'key')} of <strong>{memberName(removed)}</strong> still{' '}
        {count === 1 ? 'works for anyone who knows its secret' : 'work for anyone who knows their secrets'}.
        Rotate the keys that they should no longer use.
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onDone}>
          Later
        </Button>
        <PageButton to="/keys" search={{ owner: 'handed-over' }}>
          See the keys
        </PageButton>
      </Group>
    </Stack>
  )
}
