import { Code, Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { currentOrganization } from '../../api/acting.ts'
import type { Schemas } from '../../api/client.ts'
import { useMay } from '../../api/permissions.ts'
import { keysQuery } from '../../api/queries.ts'
import { memberName, useMembers } from '../../api/team.ts'
import { nameOf } from '../../api/usage-queries.ts'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { PageButton, PageLink } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { AgoText } from '../../components/tables/time-text.tsx'
import type { Range } from '../../filters/usage-filters.ts'
import { parseUsd } from '../../format/money.ts'
import { IconKey } from '../../icons/icons.ts'
import { projectUsage } from './project-queries.ts'

type Key = Schemas['Key']

interface Row {
  key: Key
  /** Undefined while it loads. */
  spent: string | undefined
}

const route = getRouteApi('/projects/$projectId')

/** The active keys, and inactive ones that spent in the range. */
export function ProjectKeys({ project: { id } }: { project: Schemas['Project'] }) {
  const { days, from, to } = route.useSearch()
  const range = { days, from, to }
  const query = useQuery(keysQuery)
  const may = useMay()
  const { data: byKey } = useQuery({ ...projectUsage(id, range).byKey, enabled: may('usage:read') })
  const spent = byKey && new Map(byKey.data.map((group) => [nameOf(group), group.total_cost_usd]))
  const members = useMembers()
  const whose = (memberId: string | null): string => {
    const found = members.find((one) => one.id === memberId)
    return found === undefined ? 'the organization’s own' : memberName(found)
  }
  return (
    <Panel
      p={0}
      isHeadPadded
      title="Keys"
      description="Active keys, and inactive keys with usage in this range"
      actions={
        <PageButton to="/keys" search={{ project: id }} variant="default" size="xs">
          View all
        </PageButton>
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={160} />}>
        {({ data }) => {
          const rows = data
            .filter(({ project_id: projectId }) => projectId === id)
            .filter((key) => key.status === 'active' || spent?.has(key.id) === true)
            .map((key): Row => ({ key, spent: spent && (spent.get(key.id) ?? '0') }))
          if (rows.length === 0)
            return (
              <EmptyNote icon={IconKey} title="No keys in this project">
                The usage of its keys is counted for the project.
              </EmptyNote>
            )
          return (
            <DataTable
              label="Keys of the project"
              minWidth={560}
              columns={columnsOf(range, whose, may('usage:read'))}
              rows={rows.toSorted(bySpend)}
              keyOf={({ key }) => key.id}
            />
          )
        }}
      </Loaded>
    </Panel>
  )
}

function bySpend(left: Row, right: Row): number {
  const [one, other] = [parseUsd(left.spent ?? '0'), parseUsd(right.spent ?? '0')]
  return one < other ? 1 : one > other ? -1 : 0
}

function columnsOf(
  range: Range,
  whose: (memberId: string | null) => string,
  mayUsage: boolean,
): Column<Row>[] {
  const member: Column<Row> = {
    head: 'Owner',
    orderBy: ({ key }) => whose(key.member_id),
    cell: ({ key }) => (
      <Text size="sm" component="span" style={{ overflowWrap: 'anywhere' }}>
        {whose(key.member_id)}
      </Text>
    ),
  }
  const spend: Column<Row> = {
    head: 'Spend',
    align: 'right',
    weight: 600,
    place: 'figure',
    orderBy: ({ spent = '0' }) => parseUsd(spent),
    cell: ({ spent }) => (spent === undefined ? '…' : <Money amount={spent} />),
  }
  return [
    {
      head: 'Key',
      place: 'name',
      orderBy: ({ key }) => key.name,
      cell: ({ key }) => <Name named={key} range={range} isLinked={mayUsage} />,
    },
    ...(currentOrganization() === undefined ? [] : [member]),
    ...(mayUsage ? [spend] : []),
    { head: 'Last used', cell: ({ key: { last_used_at: at } }) => <AgoText at={at} /> },
  ]
}

interface NameProps {
  named: Key
  range: Range
  isLinked: boolean
}

function Name({
  named: { id, name, key_prefix: prefix, status, replaced_by: by },
  range,
  isLinked,
}: NameProps) {
  return (
    <div style={{ minWidth: 0 }}>
      {isLinked ? (
        <PageLink to="/usage" search={{ ...range, key: id }} fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </PageLink>
      ) : (
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
      )}
      <Group gap={8} mt={2}>
        <Code fz={12}>{prefix}…</Code>
        {status === 'revoked' && <StateBadge color="gray">{by === null ? 'revoked' : 'replaced'}</StateBadge>}
      </Group>
    </div>
  )
}
