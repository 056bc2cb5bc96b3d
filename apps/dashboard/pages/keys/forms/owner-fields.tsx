import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { currentOrganization } from '../../../api/acting.ts'
import type { Schemas } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { accountQuery } from '../../../api/queries.ts'
import { memberName, useMembers, useProjects } from '../../../api/team.ts'
import { useFieldError } from '../../../components/forms/field-error.tsx'

/** The owner of a key. Null: the organization itself; no project. */
export interface Owner {
  memberId: string | null
  projectId: string | null
}

/** The API's field names. */
export const ownerNames = ['member_id', 'project_id']

interface OwnerFieldsProps {
  owner: Owner
  onChange: (owner: Owner) => void
}

/** The member that a key belongs to, and its project, if the organization has projects. */
export function OwnerFields({ owner, onChange }: OwnerFieldsProps) {
  const may = useMay()
  const projects = useProjects().filter(({ id, archived_at: at }) => at === null || id === owner.projectId)
  const problem = useFieldError('project_id')
  return (
    <>
      {(projects.length > 0 || owner.projectId !== null) && (
        <Select
          {...problem}
          label="Project"
          placeholder="none"
          clearable
          searchable
          data={projects.map(({ id, name }) => ({ value: id, label: name }))}
          value={owner.projectId}
          onChange={(projectId) => onChange({ ...owner, projectId })}
        />
      )}
      {currentOrganization() !== undefined && may('keys:hand-over') && (
        <MemberField owner={owner} onChange={onChange} />
      )}
    </>
  )
}

const nobody = 'organization'

function MemberField({ owner, onChange }: OwnerFieldsProps) {
  const { data: me } = useQuery(accountQuery)
  const members = useMembers().filter(({ status }) => status === 'active')
  const problem = useFieldError('member_id')
  return (
    <Select
      {...problem}
      label="Owner"
      description="Usage is counted for this member, and the key is revoked or handed over when they leave."
      allowDeselect={false}
      searchable
      data={[
        ...members.map((member) => ({ value: member.id, label: labelOf(member, me?.member_id) })),
        { value: nobody, label: 'The organization’s own' },
      ]}
      value={owner.memberId ?? nobody}
      onChange={(chosen) =>
        chosen !== null && onChange({ ...owner, memberId: chosen === nobody ? null : chosen })
      }
    />
  )
}

function labelOf(member: Schemas['Member'], ownId: string | null | undefined): string {
  if (member.id === ownId) return `${memberName(member)} (you)`
  return member.kind === 'service' ? `${memberName(member)} (service account)` : memberName(member)
}
