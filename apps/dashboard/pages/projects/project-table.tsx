import { Menu } from '@mantine/core'
import { RowMenu } from '../../components/tables/row-menu.tsx'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { useMay } from '../../api/permissions.ts'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { Money } from '../../components/money.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { DateText } from '../../components/tables/time-text.tsx'
import { parseUsd } from '../../format/money.ts'
import { wholeNumber } from '../../format/number.ts'
import { IconAdjustments, IconChartBar, IconKey, IconTrash } from '../../icons/icons.ts'
import { projectDays } from './project-queries.ts'
import type { ProjectView } from './project-search.ts'

/** An undefined value is still loading, or the role may not see it. */
export interface ProjectRow {
  project: Schemas['Project']
  keys: number | undefined
  requests: number | undefined
  spent: string | undefined
}

interface ProjectTableProps {
  rows: ProjectRow[]
  /** Absent: the projects cannot be changed. */
  onOpen: ((next: ProjectView) => void) | undefined
}

export function ProjectTable({ rows, onOpen }: ProjectTableProps) {
  const may = useMay()
  const columns = columnsOf({ mayUsage: may('usage:read'), mayKeys: may('keys:read'), onOpen })
  return (
    <DataTable
      label="Projects"
      minWidth={640}
      columns={columns}
      rows={rows}
      keyOf={({ project }) => project.id}
    />
  )
}

interface Shown {
  mayUsage: boolean
  mayKeys: boolean
  onOpen: ((next: ProjectView) => void) | undefined
}

function columnsOf({ mayUsage, mayKeys, onOpen }: Shown): Column<ProjectRow>[] {
  const name: Column<ProjectRow> = {
    head: 'Project',
    place: 'name',
    orderBy: ({ project }) => project.name,
    cell: ({ project }) => (
      <PageLink
        to="/projects/$projectId"
        params={{ projectId: project.id }}
        fw={600}
        style={{ overflowWrap: 'anywhere' }}
      >
        {project.name}
      </PageLink>
    ),
  }
  const figures: Column<ProjectRow>[] = [
    {
      head: `Spend, ${projectDays} days`,
      align: 'right',
      weight: 600,
      place: 'figure',
      orderBy: ({ spent = '0' }) => parseUsd(spent),
      cell: ({ spent }) => (spent === undefined ? '…' : <Money amount={spent} />),
    },
    {
      head: 'Requests',
      align: 'right',
      orderBy: ({ requests = 0 }) => BigInt(requests),
      cell: ({ requests }) => (requests === undefined ? '…' : wholeNumber(requests)),
    },
  ]
  const keys: Column<ProjectRow> = {
    head: 'Active keys',
    align: 'right',
    orderBy: ({ keys: count = 0 }) => BigInt(count),
    cell: ({ project, keys: count }) =>
      count === undefined ? (
        '…'
      ) : (
        <PageLink
          to="/keys"
          search={{ project: project.id }}
          aria-label={`Keys of ${project.name}: ${count}`}
        >
          {wholeNumber(count)}
        </PageLink>
      ),
  }
  return [
    name,
    ...(mayUsage ? figures : []),
    ...(mayKeys ? [keys] : []),
    { head: 'Made', cell: ({ project: { created_at: at } }) => <DateText at={at} /> },
    {
      head: 'Actions',
      width: 56,
      place: 'action',
      cell: ({ project }) => <ProjectMenu project={project} onOpen={onOpen} />,
    },
  ]
}

interface ProjectMenuProps {
  project: Schemas['Project']
  onOpen: ((next: ProjectView) => void) | undefined
}

function ProjectMenu({ project: { id, name, archived_at: archivedAt }, onOpen }: ProjectMenuProps) {
  const may = useMay()
  return (
    <RowMenu of={name} width={200}>
      <Menu.Item
        leftSection={<IconChartBar size={16} />}
        renderRoot={(props) => <Link to="/usage" search={{ project: id }} {...props} />}
      >
        Usage
      </Menu.Item>
      {archivedAt === null && may('keys:write') && (
        <Menu.Item
          leftSection={<IconKey size={16} />}
          renderRoot={(props) => <Link to="/keys" search={{ action: 'new', project: id }} {...props} />}
        >
          Create a key in this project
        </Menu.Item>
      )}
      {onOpen !== undefined && archivedAt === null && (
        <>
          <Menu.Item
            leftSection={<IconAdjustments size={16} />}
            onClick={() => onOpen({ action: 'rename', project: id })}
          >
            Rename
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} />}
            onClick={() => onOpen({ action: 'archive', project: id })}
          >
            Archive
          </Menu.Item>
        </>
      )}
    </RowMenu>
  )
}
