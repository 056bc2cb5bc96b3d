import { Table, Text } from '@mantine/core'
import { pairOf, type UsageGroup } from '../../api/usage-queries.ts'
import { ScrollTable } from '../../components/scroll-table.tsx'
import { GroupLink } from './breakdown-table.tsx'
import { crossOf } from './cross.ts'
import { dimensionNames, useGroupNames } from './group-names.ts'
import { measureFacts } from './measures.ts'
import type { Measure, UsageDimension } from './usage-search.ts'

interface CrossTableProps {
  groups: UsageGroup[]
  by: UsageDimension
  against: UsageDimension
  measure: Measure
}

const columnWidth = 130
const nameWidth = 200

/** One dimension down, one across: the largest of each, and the sum of the others. */
export function CrossTable({ groups, by, against, measure }: CrossTableProps) {
  const called = useGroupNames()
  const { valueOf, format } = measureFacts[measure]
  const cells = groups.map((group) => ({ pair: pairOf(group), value: valueOf(group) }))
  const { rows, columns } = crossOf(cells)
  return (
    <ScrollTable
      label={`${measureFacts[measure].label} by ${by} and ${against}`}
      minWidth={nameWidth + (columns.length + 1) * columnWidth}
      verticalSpacing="xs"
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{dimensionNames[by]}</Table.Th>
          {columns.map((column) => (
            <Table.Th key={String(column.name)} ta="right">
              {column.isRest ? 'others' : called(against, column.name)}
            </Table.Th>
          ))}
          <Table.Th ta="right">Sum</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={String(row.name)}>
            <Table.Td>
              <GroupLink by={by} group={row.name} called={called(by, row.name)} />
            </Table.Td>
            {row.values.map((value, index) => (
              <Table.Td key={index} ta="right">
                {value === 0n ? <Text size="sm" c="dimmed" children="–" /> : format(value)}
              </Table.Td>
            ))}
            <Table.Td ta="right" fw={600}>
              {format(row.total)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  )
}
