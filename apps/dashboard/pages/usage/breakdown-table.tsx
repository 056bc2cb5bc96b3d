import { Anchor, Progress, Table, Text, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { nameOf, type UsageGroup } from '../../api/usage-queries.ts'
import { Money } from '../../components/money.tsx'
import { ScrollTable } from '../../components/scroll-table.tsx'
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
  const called = useGroupNames()
  const largest = groups.reduce((most, { total_cost_usd: cost }) => {
    const pico = parseUsd(cost)
    return pico > most ? pico : most
  }, 0n)
  const shown = by === 'day' ? groups.toReversed() : groups
  return (
    <>
      <ScrollTable label={`Usage by ${by}`} minWidth={640} verticalSpacing="xs" isStacked>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{dimensionNames[by]}</Table.Th>
            <Table.Th ta="right">Spend</Table.Th>
            <Table.Th w={140}>
              <VisuallyHidden>Compared with the largest</VisuallyHidden>
            </Table.Th>
            <Table.Th ta="right">Requests</Table.Th>
            <Table.Th ta="right">Tokens in</Table.Th>
            <Table.Th ta="right">Tokens out</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.slice(0, shownAtMost).map((group) => (
            <Table.Tr key={nameOf(group) ?? ''}>
              <Table.Td data-place="name">
                <GroupLink by={by} group={nameOf(group)} called={called(by, nameOf(group))} />
              </Table.Td>
              <Table.Td ta="right" fw={600} data-place="figure">
                <Money amount={group.total_cost_usd} />
              </Table.Td>
              <Table.Td>
                <Progress
                  size={5}
                  color="var(--chart-1)"
                  value={shareOf(parseUsd(group.total_cost_usd), largest) ?? 0}
                  aria-hidden
                />
              </Table.Td>
              <Table.Td ta="right" data-label="Requests">
                {wholeNumber(group.total_requests)}
              </Table.Td>
              <Table.Td ta="right" data-label="Tokens in">
                {wholeNumber(group.total_tokens_in)}
              </Table.Td>
              <Table.Td ta="right" data-label="Tokens out">
                {wholeNumber(group.total_tokens_out)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
      {shown.length > shownAtMost && (
        <Text size="sm" c="dimmed" p="md">
          The first {shownAtMost} of {wholeNumber(shown.length)}; the export has them all.
        </Text>
      )}
    </>
  )
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
    <Anchor
      size="sm"
      fw={500}
      renderRoot={(props) => (
        <Link to="/usage" search={(before) => narrowedTo(before, by, group)} resetScroll={false} {...props} />
      )}
    >
      {called}
    </Anchor>
  )
}
