import { Text } from '@mantine/core'
import { pairOf, type UsageGroup, type UsageTotals } from '../../api/usage-queries.ts'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { GroupLink } from './breakdown-table.tsx'
import { crossOf, type CrossRow } from './cross.ts'
import { dimensionNames, useGroupNames } from './group-names.ts'
import { measureFacts } from './measures.ts'
import type { Measure, UsageDimension } from './usage-search.ts'

interface CrossTableProps {
  groups: UsageGroup[]
  /** All groups behind these. */
  others: UsageTotals | null
  by: UsageDimension
  against: UsageDimension
  measure: Measure
}

const columnWidth = 130
const nameWidth = 200
const restNames = { rows: 'others', cells: 'smallest of all, uncrossed' }

/** One dimension down, one across: the largest of each, and the sum of the others. */
export function CrossTable({ groups, others, by, against, measure }: CrossTableProps) {
  const called = useGroupNames()
  const { valueOf, unit } = measureFacts[measure]
  const cells = groups.map((group) => ({ pair: pairOf(group), value: valueOf(group) }))
  const { rows, columns } = crossOf(cells, others === null ? 0n : valueOf(others))
  return (
    <DataTable<CrossRow>
      label={`${measureFacts[measure].label} by ${by} and ${against}`}
      minWidth={nameWidth + (columns.length + 1) * columnWidth}
      verticalSpacing="xs"
      columns={[
        {
          head: dimensionNames[by],
          cell: ({ name, rest }) =>
            rest === undefined ? (
              <GroupLink by={by} group={name} called={called(by, name)} />
            ) : (
              <Text size="sm" c="dimmed" children={restNames[rest]} />
            ),
        },
        ...columns.map((column, index): Column<CrossRow> => {
          return {
            head: column.isRest ? 'others' : called(against, column.name),
            align: 'right',
            cell: ({ values }) => <Value value={values[index] ?? 0n} format={unit.format} />,
          }
        }),
        { head: 'Sum', align: 'right', weight: 600, cell: ({ total }) => unit.format(total) },
      ]}
      rows={rows}
      keyOf={({ name, rest }) => rest ?? `named ${String(name)}`}
    />
  )
}

function Value({ value, format }: { value: bigint; format: (value: bigint) => string }) {
  return value === 0n ? <Text size="sm" c="dimmed" children="–" /> : format(value)
}
