import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { nameOf, pairOf, type UsageGroup, type UsageTotals } from '../../../api/usage-queries.ts'
import { DataTable, type Column } from '../../../components/tables/data-table.tsx'
import { GroupLink } from './breakdown-table.tsx'
import { crossOf, type CrossRow } from './cross.ts'
import { dimensionName, dimensionWord, useGroupNames } from '../group-names.ts'
import { measureFacts } from '../measures.ts'
import { overlaps, type Measure, type UsageDimension } from '../usage-search.ts'
import { totalsQuery, viewQueries } from '../view-queries.ts'

const route = getRouteApi('/usage')

interface CrossTableProps {
  groups: UsageGroup[]
  /** The sum of the cells that the response leaves out. */
  others: UsageTotals | null
  by: UsageDimension
  against: UsageDimension
  measure: Measure
}

const columnWidth = 110
const nameWidth = 200
const restNames = { rows: 'others', cells: 'smallest of all, uncrossed', total: 'Total' }

/** One dimension down, one across: the largest of each, and the sum of the others. */
export default function CrossTable({ groups, others, by, against, measure }: CrossTableProps) {
  const called = useGroupNames(by, against)
  const { valueOf, unit } = measureFacts[measure]
  const sums = useSums(by, against, measure)
  const cells = groups.map((group) => ({ pair: pairOf(group), value: valueOf(group) }))
  const { rows, columns, total } = crossOf(cells, others === null ? 0n : valueOf(others), sums)
  return (
    <DataTable<CrossRow>
      isStacked={false}
      label={`${measureFacts[measure].label} by ${dimensionWord(by)} and ${dimensionWord(against)}`}
      minWidth={nameWidth + (columns.length + 1) * columnWidth}
      verticalSpacing="xs"
      horizontalSpacing="xs"
      hasFixedName
      columns={[
        {
          head: dimensionName(by),
          orderBy: ({ name }) => called(by, name),
          cell: ({ name, rest }) =>
            rest === undefined ? (
              <GroupLink by={by} group={name} called={called(by, name)} />
            ) : (
              <Text
                span
                inherit
                {...(rest !== 'total' && { size: 'sm', c: 'dimmed' })}
                children={restNames[rest]}
              />
            ),
        },
        ...columns.map((column, index): Column<CrossRow> => {
          return {
            head: column.isRest ? 'others' : called(against, column.name),
            align: 'right',
            orderBy: ({ values }) => values[index] ?? 0n,
            cell: ({ values }) => <Value value={values[index] ?? 0n} format={unit.format} />,
          }
        }),
        {
          head: 'Sum',
          align: 'right',
          weight: 600,
          orderBy: (row) => row.total,
          cell: (row) => unit.format(row.total),
        },
      ]}
      rows={rows}
      keyOf={({ name, rest }) => rest ?? `named ${String(name)}`}
      isLast={({ rest }) => rest !== undefined}
      total={total}
    />
  )
}

/** If one dimension overlaps, the cells add up to too much, so its sums are requested separately. */
function useSums(by: UsageDimension, against: UsageDimension, measure: Measure) {
  const view = route.useSearch()
  const { valueOf } = measureFacts[measure]
  const all = useQuery(viewQueries(view).summary)
  const rows = useQuery({ ...totalsQuery(view, by), enabled: overlaps(against) })
  const columns = useQuery({ ...totalsQuery(view, against), enabled: overlaps(by) })
  const byName = (groups: readonly UsageGroup[] | undefined) =>
    groups && new Map(groups.map((group) => [nameOf(group), valueOf(group)]))
  return {
    all: all.data && valueOf(all.data),
    rows: overlaps(against) ? byName(rows.data?.data) : undefined,
    columns: overlaps(by) ? byName(columns.data?.data) : undefined,
  }
}

function Value({ value, format }: { value: bigint; format: (value: bigint) => string }) {
  return value === 0n ? <Text size="sm" c="dimmed" children="–" /> : format(value)
}
