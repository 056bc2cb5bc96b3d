import { List, Text } from '@mantine/core'
import { useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { OwnerFields, ownerNames, type Owner } from './owner-fields.tsx'

interface OwnerFormProps {
  changed: Schemas['Key']
  onDone: () => void
}

/** Moves a key to another member or project. What it spent before stays with the old one. */
export function OwnerForm({ changed, onDone }: OwnerFormProps) {
  const before: Owner = { memberId: changed.member_id, projectId: changed.project_id }
  const [owner, setOwner] = useState(before)
  const isOtherMember = owner.memberId !== before.memberId
  const isOtherProject = owner.projectId !== before.projectId
  const change = useChange('keys', onDone, () => {
    const params = { path: { key_id: changed.id } }
    const body = {
      ...(isOtherMember && { member_id: owner.memberId }),
      ...(isOtherProject && { project_id: owner.projectId }),
    }
    return api.POST('/api/v1/me/keys/{key_id}/hand-over', { params, body })
  })
  return (
    <ChangeForm
      change={change}
      submit="Hand over"
      isComplete={isOtherMember || isOtherProject}
      fieldNames={ownerNames}
      onCancel={onDone}
    >
      <OwnerFields owner={owner} onChange={setOwner} />
      <List size="sm" spacing="xs">
        <List.Item>
          Its secret, limits and credit stay the same, so programs keep working. It gets a new id.
        </List.Item>
        <List.Item>Past usage stays with the previous owner and project.</List.Item>
      </List>
      {isOtherMember && (
        <Text size="sm">
          The previous owner may know the secret. Rotate the key if they should no longer use it.
        </Text>
      )}
    </ChangeForm>
  )
}
