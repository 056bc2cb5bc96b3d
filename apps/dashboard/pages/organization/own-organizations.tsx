import { Button, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { actFor } from '../../api/acting.ts'
import type { Schemas } from '../../api/client.ts'
import { organizationsQuery } from '../../api/queries.ts'
import { roleNames } from '../../api/role-names.ts'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { DateText } from '../../components/tables/time-text.tsx'
import { IconBuilding, IconPlus } from '../../icons/icons.ts'
import { useDialog } from './use-dialog.ts'

type Organization = Schemas['Organization']

/** The organizations that the signed-in person is a member of. */
export function OwnOrganizations() {
  const query = useQuery(organizationsQuery)
  const { open } = useDialog()
  return (
    <>
      <PageHeader
        title="Organizations"
        description="An organization has its own credit, keys and budgets, which its members share."
      >
        <Button leftSection={<IconPlus size={16} />} onClick={() => open({ action: 'new' })}>
          New organization
        </Button>
      </PageHeader>
      <Panel p={0}>
        <Loaded query={query} skeleton={<Skeleton height={180} />}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyNote icon={IconBuilding} title="No organizations yet">
                Create one and invite your colleagues, or open an invitation link.
              </EmptyNote>
            ) : (
              <DataTable
                label="Organizations"
                minWidth={520}
                columns={columns}
                rows={data}
                keyOf={({ id }) => id}
              />
            )
          }
        </Loaded>
      </Panel>
    </>
  )
}

const columns: Column<Organization>[] = [
  {
    head: 'Name',
    place: 'name',
    orderBy: ({ name }) => name,
    cell: ({ name }) => (
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    ),
  },
  { head: 'Your role', cell: ({ role }) => (role === null ? 'none' : roleNames[role]) },
  { head: 'Since', cell: ({ created_at: at }) => <DateText at={at} /> },
  {
    head: 'Actions',
    align: 'right',
    place: 'action',
    cell: ({ id, name, status }) =>
      status === 'active' ? (
        <Button size="xs" variant="default" aria-label={`Open ${name}`} onClick={() => actFor(id)}>
          Open
        </Button>
      ) : (
        status
      ),
  },
]
