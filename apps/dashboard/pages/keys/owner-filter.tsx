import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { memberName, useMembers, useProjects } from '../../api/team.ts'
import { Choice } from '../../filters/choice.tsx'
import type { KeyView } from './key-search.ts'

const route = getRouteApi('/keys')

const handedOver = 'handed-over'

/** Filters keys by member and project; renders nothing if there are neither. */
export function OwnerFilter() {
  const { member, project, owner } = route.useSearch()
  const navigate = route.useNavigate()
  const members = useMembers()
  const projects = useProjects()
  const filter = (changed: Pick<KeyView, 'member' | 'project' | 'owner'>) =>
    void navigate({ search: ({ show, q }) => ({ show, q, member, project, owner, ...changed }) })
  return (
    <>
      {members.length > 0 && (
        <Choice
          label="Owner"
          value={owner ?? member}
          onChange={(value) =>
            filter(
              value === handedOver
                ? { owner: value, member: undefined }
                : { member: value, owner: undefined },
            )
          }
          offers={[
            ...members.map((one) => ({ value: one.id, label: memberName(one) })),
            { value: handedOver, label: 'Handed over, not rotated' },
          ]}
        />
      )}
      {projects.length > 0 && (
        <Choice
          label="Project"
          value={project}
          onChange={(value) => filter({ project: value })}
          offers={projects.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
    </>
  )
}

export function isOf({ member, project, owner }: KeyView, key: Schemas['Key']): boolean {
  if (member !== undefined && key.member_id !== member) return false
  if (project !== undefined && key.project_id !== project) return false
  return owner === undefined || key.handed_over
}
