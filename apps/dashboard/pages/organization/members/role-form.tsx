import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas } from '../../../api/client.ts'
import { accountQuery } from '../../../api/queries.ts'
import { memberName } from '../../../api/team.ts'
import { useChange } from '../../../api/use-change.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { TextField } from '../../../components/forms/text-field.tsx'
import { RoleField } from './role-field.tsx'

/** Changes the role of a person, or the name of a service account. */
export function RoleForm({ changed, onDone }: { changed: Schemas['Member']; onDone: () => void }) {
  const isService = changed.kind === 'service'
  const { data: me } = useQuery(accountQuery)
  const [role, setRole] = useState(changed.role)
  const [name, setName] = useState(changed.name ?? '')
  const change = useChange('members', onDone, () => {
    const params = { path: { member_id: changed.id } }
    const body = isService ? { name: name.trim() } : { role }
    return api.PATCH('/api/v1/organization/members/{member_id}', { params, body })
  })
  return (
    <ChangeForm
      change={change}
      submit="Save"
      isComplete={isService ? name.trim() !== '' && name.trim() !== changed.name : role !== changed.role}
      fieldNames={['role', 'name']}
      onCancel={onDone}
    >
      {isService ? (
        <TextField name="name" label="Name" maxLength={100} data-autofocus value={name} onChange={setName} />
      ) : (
        <>
          <Text size="sm">
            What <strong>{memberName(changed)}</strong> may do, starting with their next request.
          </Text>
          <RoleField role={role} givenBy={me?.role} onChange={setRole} />
        </>
      )}
    </ChangeForm>
  )
}
