import { List, Text } from '@mantine/core'
import { useState } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { ChangeForm } from '../../components/change-form.tsx'
import { OwnerFields, ownerNames, type Owner } from './owner-fields.tsx'

interface OwnerFormProps {
  changed: Schemas['Key']
  onDone: () => void
}

/** Another member's, or in another project, from now on: what it spent until then stays where it is. */
export function OwnerForm({ changed, onDone }: OwnerFormProps) {
  const before: Owner = { memberId: changed.member_id, projectId: changed.project_id }
  const [owner, setOwner] = useState(before)
  const isOtherMember = owner.memberId !== before.memberId
  const isOtherProject = owner.projectId !== before.projectId
  const change = useChange(
    'keys',
    () => {
      const params = { path: { key_id: changed.id } }
      const body = {
        ...(isOtherMember && { member_id: owner.memberId }),
        ...(isOtherProject && { project_id: owner.projectId }),
      }
      return bodyOf(api.POST('/api/v1/me/keys/{key_id}/hand-over', { params, body }))
    },
    onDone,
  )
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
          Its secret, its limits and its credit stay, so that whatever uses it goes on. It gets a new
          identifier.
        </List.Item>
        <List.Item>What it spent until now stays where it was counted.</List.Item>
      </List>
      {isOtherMember && (
        <Text size="sm">
          Who had it may know its secret: rotate it where they should not use it any more.
        </Text>
      )}
    </ChangeForm>
  )
}
