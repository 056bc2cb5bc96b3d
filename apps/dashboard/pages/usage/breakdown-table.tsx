import { Progress, Text } from '@mantine/core'
import { nameOf, type UsageGroup } from '../../api/usage-queries.ts'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { Money } from '../../components/money.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { parseUsd, shareOf } from '../../format/money.ts'
import { wholeNumber } from '../../format/number.ts'
import { dimensionNames, useGroupNames } from './group-names.ts'
import { narrowedTo } from './narrow.ts'
import type { UsageDimension } from './usage-search.ts'

interface BreakdownTableProps {
  groups: UsageGroup[]
  by: UsageDimension
}

const shownAtMost = 400

export function BreakdownTable({ groups, by }: BreakdownTableProps) {
  const columns = useColumns(by, groups)
  const shown = by === 'day' ? groups.toReversed() : groups
  return (
    <>
      <DataTable
        label={`Usage by ${by}`}
        minWidth={640}
        verticalSpacing="xs"
        isStacked
        columns={columns}
        rows={shown.slice(0, shownAtMost)}
        keyOf={(group) => nameOf(group) ?? ''}
      />
      {shown.length > shownAtMost && (
        <Text size="sm" c="dimmed" p="md">
          The first {shownAtMost} of {wholeNumber(shown.length)}; the export has them all.
        </Text>
      )}
    </>
  )
}

function useColumns(by: UsageDimension, groups: UsageGroup[]): Column<UsageGroup>[] {
  const called = useGroupNames()
  const largest = groups.reduce((most, { total_cost_usd: cost }) => {
    const pico = parseUsd(cost)
    return pico > most ? pico : most
  }, 0n)
  return [
    {
      head: dimensionNames[by],
      place: 'name',
      cell: (group) => <GroupLink by={by} group={nameOf(group)} called={called(by, nameOf(group))} />,
    },
    {
      head: 'Spend',
      align: 'right',
      weight: 600,
      place: 'figure',
      cell: (group) => <Money amount={group.total_cost_usd} />,
    },
    {
      head: 'Compared with the largest',
      isHeadHidden: true,
      width: 140,
      place: 'words',
      cell: ({ total_cost_usd: cost }) => (
        <Progress size={5} color="var(--chart-1)" value={shareOf(parseUsd(cost), largest) ?? 0} aria-hidden />
      ),
    },
    { head: 'Requests', align: 'right', cell: (group) => wholeNumber(group.total_requests) },
    { head: 'Tokens in', align: 'right', cell: (group) => wholeNumber(group.total_tokens_in) },
    { head: 'Tokens out', align: 'right', cell: (group) => wholeNumber(group.total_tokens_out) },
  ]
}

interface GroupLinkProps {
  by: UsageDimension
  group: string | null
  called: string
}

/** Leads to the same page with this group as a filter. */
export function GroupLink({ by, group, called }: GroupLinkProps) {
  if (group === null)
    return (
      <Text size="sm" c="dimmed">
        {called}
      </Text>
    )
  return (
    <PageLink to="/usage" search={(before) => narrowedTo(before, by, group)} resetScroll={false} fw={500}>
      {called}
    </PageLink>
  )
}
