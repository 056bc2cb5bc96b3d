import { Button, Group, SegmentedControl, Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { useMay } from '../../api/permissions.ts'
import { keysQuery } from '../../api/queries.ts'
import { nameOf } from '../../api/usage-queries.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { IconFolder, IconPlus } from '../../icons/icons.ts'
import { ArchiveForm, NameProjectForm } from './project-forms.tsx'
import { projectQueries } from './project-queries.ts'
import type { ProjectView } from './project-search.ts'
import { ProjectTable, type ProjectRow } from './project-table.tsx'

type Project = Schemas['Project']

const route = getRouteApi('/projects')

/** The projects that keys belong to, and their spend. */
export function ProjectsPage() {
  const { show } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(projectQueries.projects)
  const may = useMay()
  const open = (next: ProjectView) => void navigate({ search: { show, ...next }, resetScroll: false })
  const mayChange = may('members:write')
  const hasArchived = query.data?.data.some(({ archived_at: at }) => at !== null) === true
  return (
    <>
      <PageHeader
        title="Projects"
        description="Group keys by purpose to track and limit what each project spends."
      >
        {mayChange && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => open({ action: 'new' })}>
            New project
          </Button>
        )}
      </PageHeader>
      <Stack gap="md">
        {(hasArchived || show === 'archived') && (
          <Group>
            <SegmentedControl
              aria-label="Project status"
              value={show ?? 'current'}
              data={[
                { value: 'current', label: 'Current' },
                { value: 'archived', label: 'Archived' },
              ]}
              onChange={(value) => void navigate({ search: value === 'archived' ? { show: value } : {} })}
            />
          </Group>
        )}
        <Panel p={0}>
          <Loaded query={query} skeleton={<Skeleton height={220} />}>
            {({ data }) => (
              <Projects
                projects={data.filter(({ archived_at: at }) => (at !== null) === (show === 'archived'))}
                onOpen={mayChange ? open : undefined}
              />
            )}
          </Loaded>
        </Panel>
      </Stack>
      <Dialogs projects={query.data?.data ?? []} onClose={() => open({})} />
    </>
  )
}

interface ProjectsProps {
  projects: Project[]
  onOpen: ((next: ProjectView) => void) | undefined
}

function Projects({ projects, onOpen }: ProjectsProps) {
  const { show } = route.useSearch()
  const may = useMay()
  const { data: keys } = useQuery(keysQuery)
  const spent = useQuery({ ...projectQueries.spent, enabled: may('usage:read') })
  if (projects.length === 0)
    return show === 'archived' ? (
      <EmptyNote icon={IconFolder} title="No archived projects" />
    ) : (
      <EmptyNote icon={IconFolder} title="No projects yet">
        Create one for each product, service or customer that needs keys.
      </EmptyNote>
    )
  const rows = projects.map((project): ProjectRow => {
    const group = spent.data?.data.find((one) => nameOf(one) === project.id)
    return {
      project,
      keys: keys?.data.filter((key) => key.project_id === project.id && key.status === 'active').length,
      requests: spent.data && (group?.total_requests ?? 0),
      spent: spent.data && (group?.total_cost_usd ?? '0'),
    }
  })
  return <ProjectTable rows={rows} onOpen={onOpen} />
}

interface DialogsProps {
  projects: readonly Project[]
  onClose: () => void
}

function Dialogs({ projects, onClose }: DialogsProps) {
  const { action, project: projectId } = route.useSearch()
  const found = projects.find(({ id }) => id === projectId)
  return (
    <>
      <FormDialog opened={action === 'new'} onClose={onClose} title="New project">
        {action === 'new' && <NameProjectForm onDone={onClose} />}
      </FormDialog>
      <FormDialog
        opened={action === 'rename' && found !== undefined}
        onClose={onClose}
        title="Rename project"
      >
        {action === 'rename' && found !== undefined && <NameProjectForm renamed={found} onDone={onClose} />}
      </FormDialog>
      <FormDialog
        opened={action === 'archive' && found !== undefined}
        onClose={onClose}
        title="Archive project"
      >
        {action === 'archive' && found !== undefined && <ArchiveForm archived={found} onDone={onClose} />}
      </FormDialog>
    </>
  )
}
