import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { nameOf, type UsageGroup } from '../../api/usage-queries.ts'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import type { Range } from '../../filters/usage-filters.ts'
import { parseUsd, shareOf, sumUsd } from '../../format/money.ts'
import { wholeNumber } from '../../format/number.ts'
import { useGroupNames } from '../usage/group-names.ts'
import { projectUsage } from './project-queries.ts'

const route = getRouteApi('/projects/$projectId')

/** Each member's part of the spend. */
export function ProjectMembers({ project: { id } }: { project: Schemas['Project'] }) {
  const { days, from, to } = route.useSearch()
  const range = { days, from, to }
  const query = useQuery(projectUsage(id, range).byMember)
  const called = useGroupNames('member')
  return (
    <Panel p={0} isHeadPadded title="Members" description="Spending by the owner of the keys">
      <Loaded query={query} skeleton={<Skeleton height={160} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Text size="sm" c="dimmed" px={{ base: 'md', sm: 'lg' }} pb="lg">
              No spending in this range.
            </Text>
          ) : (
            <DataTable
              label="Members of the project"
              minWidth={480}
              columns={columnsOf({
                projectId: id,
                range,
                sum: sumUsd(data.map(({ total_cost_usd: cost }) => cost)),
                called: (member) => called('member', member),
              })}
              rows={data}
              keyOf={(group) => nameOf(group) ?? ''}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}

interface Shown {
  projectId: string
  range: Range
  /** The sum of all members' spend, in pico-USD. */
  sum: bigint
  called: (member: string | null) => string
}

function columnsOf({ projectId, range, sum, called }: Shown): Column<UsageGroup>[] {
  return [
    {
      head: 'Member',
      place: 'name',
      orderBy: (group) => called(nameOf(group)),
      cell: (group) => {
        const member = nameOf(group)
        if (member === null) return <Text size="sm" c="dimmed" children={called(null)} />
        return (
          <PageLink
            to="/usage"
            search={{ ...range, member, project: projectId }}
            fw={500}
            style={{ overflowWrap: 'anywhere' }}
          >
            {called(member)}
          </PageLink>
        )
      },
    },
    {
      head: 'Spend',
      align: 'right',
      weight: 600,
      place: 'figure',
      orderBy: ({ total_cost_usd: cost }) => parseUsd(cost),
      cell: ({ total_cost_usd: cost }) => <Money amount={cost} />,
    },
    {
      head: 'Share',
      align: 'right',
      orderBy: ({ total_cost_usd: cost }) => parseUsd(cost),
      cell: ({ total_cost_usd: cost }) => `${shareOf(parseUsd(cost), sum) ?? 0} %`,
    },
    {
      head: 'Requests',
      align: 'right',
      orderBy: ({ total_requests: requests }) => BigInt(requests),
      cell: ({ total_requests: requests }) => wholeNumber(requests),
    },
  ]
}
