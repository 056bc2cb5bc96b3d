import type { Schemas } from '../../api/client.ts'
import { currentOrganization } from '../../api/acting.ts'
import { useMay, useSeesAll } from '../../api/permissions.ts'
import { ProjectKeys } from './project-keys.tsx'
import { ProjectMembers } from './project-members.tsx'
import { ProjectRequests } from './project-requests.tsx'

/** The project's spend by member, key and purpose. */
export default function ProjectLists({ project }: { project: Schemas['Project'] }) {
  const may = useMay()
  const seesAll = useSeesAll()
  const hasMembers = currentOrganization() !== undefined && seesAll
  return (
    <>
      {may('usage:read') && hasMembers && <ProjectMembers project={project} />}
      {may('keys:read') && <ProjectKeys project={project} />}
      {may('usage:read') && <ProjectRequests project={project} />}
    </>
  )
}
