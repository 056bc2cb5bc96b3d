import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { useMay } from '../../api/permissions.ts'
import { keysQuery } from '../../api/queries.ts'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { IconKey } from '../../icons/icons.ts'
import { KeyDialog } from '../keys/key-dialogs.tsx'
import { ArchiveForm, NameProjectForm } from '../projects/project-forms.tsx'
import type { OneProjectView } from './project-search.ts'

const route = getRouteApi('/projects/$projectId')

/** The actions on a project; an archived one has none. */
export function ProjectActions({ project }: { project: Schemas['Project'] }) {
  const { action } = route.useSearch()
  const navigate = route.useNavigate()
  const may = useMay()
  const { data: keys } = useQuery({ ...keysQuery, enabled: may('keys:read') })
  const go = (action: OneProjectView['action']) =>
    void navigate({
      search: ({ days, from, to }) => ({ days, from, to, ...(action && { action }) }),
      replace: true,
      resetScroll: false,
    })
  const close = () => go(undefined)
  if (project.archived_at !== null) return null
  const mayChange = may('members:write')
  return (
    <Group gap="sm">
      {mayChange && (
        <>
          <Button variant="default" onClick={() => go('archive')}>
            Archive
          </Button>
          <Button variant="default" onClick={() => go('rename')}>
            Rename
          </Button>
        </>
      )}
      {may('keys:write') && (
        <Button leftSection={<IconKey size={16} />} onClick={() => go('key')}>
          Create a key in this project
        </Button>
      )}
      <KeyDialog
        action={action === 'key' && may('keys:write') ? 'new' : undefined}
        keys={keys?.data ?? []}
        projectId={project.id}
        onClose={close}
      />
      <FormDialog opened={action === 'rename' && mayChange} onClose={close} title="Rename project">
        {action === 'rename' && <NameProjectForm renamed={project} onDone={close} />}
      </FormDialog>
      <FormDialog opened={action === 'archive' && mayChange} onClose={close} title="Archive project">
        {action === 'archive' && <ArchiveForm archived={project} onDone={close} />}
      </FormDialog>
    </Group>
  )
}
