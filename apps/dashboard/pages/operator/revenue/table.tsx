import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { DataTable, type Column } from '../../../components/tables/data-table.tsx'
import { getRouteApi } from '@tanstack/react-router'
import { Money } from '../../../components/money.tsx'
import { PageLink } from '../../../components/page-link.tsx'
import { wholeNumber } from '../../../format/number.ts'
import { marginOf, percentText, type Earned, type Margin } from './margin.ts'

const route = getRouteApi('/operator')

/** The group of requests that no model served. */
export const modelless = 'none'
/** The row for models and days that the response leaves out. */
export const furtherModels = 'smallest rows, all models'

interface RevenueTableProps {
  byModel: ReadonlyMap<string, Earned>
  total: Earned
  /** The model whose days are shown above; undefined: all models. */
  chosen: string | undefined
}

interface Row {
  /** Undefined for the total. */
  model?: string
  earned: Earned
}

/** Revenue and vendor cost by model, the highest revenue first, with the total. */
export function RevenueTable({ byModel, total, chosen }: RevenueTableProps) {
  const rows = [...byModel].toSorted(([, left], [, right]) => (left.revenue < right.revenue ? 1 : -1))
  return (
    <DataTable<Row>
      label="Revenue and vendor cost by model"
      minWidth={680}
      verticalSpacing="xs"
      columns={columns}
      rows={rows.map(([model, earned]) => ({ model, earned }))}
      keyOf={({ model = '' }) => model}
      isChosen={({ model }) => model === chosen}
      total={{ earned: total }}
    />
  )
}

const columns: Column<Row>[] = [
  {
    head: 'Model',
    place: 'name',
    cell: ({ model }) => (model === undefined ? 'Total' : <ModelLink model={model} />),
  },
  { head: 'Requests', align: 'right', cell: ({ earned }) => wholeNumber(earned.requests) },
  { head: 'Revenue', align: 'right', weight: 600, cell: ({ earned }) => <RevenueOf earned={earned} /> },
  {
    head: 'Vendor cost',
    align: 'right',
    cell: ({ earned }) =>
      marginOf(earned) === undefined ? <Unknown /> : <Money amount={earned.vendorCost} />,
  },
  {
    head: 'Margin',
    align: 'right',
    cell: ({ earned }) => <OfMargin earned={earned} format={({ amount }) => <Money amount={amount} />} />,
  },
  {
    head: 'Margin, %',
    align: 'right',
    cell: ({ earned }) => <OfMargin earned={earned} format={percentText} />,
  },
]

/** Links to the same view, with the days of this model above. */
function ModelLink({ model }: { model: string }) {
  const { days, from, to } = route.useSearch()
  if (model === modelless || model === furtherModels)
    return (
      <Text size="sm" c="dimmed">
        {model}
      </Text>
    )
  return (
    <PageLink
      to="/operator"
      search={{ show: 'revenue', model, days, from, to }}
      replace
      resetScroll={false}
      fw={500}
    >
      {model}
    </PageLink>
  )
}

function RevenueOf({ earned }: { earned: Earned }) {
  const unknown = earned.revenue - earned.costed
  return (
    <>
      <Money amount={earned.revenue} />
      {marginOf(earned) !== undefined && unknown > 0n && (
        <Text size="xs" c="dimmed" fw={400} className="one-line">
          <Money amount={unknown} /> of unknown cost
        </Text>
      )}
    </>
  )
}

/** Negative values are colored, besides their sign. */
function OfMargin({ earned, format }: { earned: Earned; format: (margin: Margin) => ReactNode }) {
  const margin = marginOf(earned)
  if (margin === undefined) return <Unknown />
  return (
    <Text span inherit {...(margin.amount < 0n && { c: 'var(--mantine-color-error)' })}>
      {format(margin)}
    </Text>
  )
}

function Unknown() {
  return (
    <Text span size="sm" c="dimmed">
      unknown
    </Text>
  )
}
