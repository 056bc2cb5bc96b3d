import { Anchor, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Money } from '../../components/money.tsx'
import { ScrollTable } from '../../components/scroll-table.tsx'
import { wholeNumber } from '../../format/number.ts'
import { marginOf, percentText, type Earned } from './margin.ts'
import classes from './revenue-table.module.css'

/** What requests that no model served are called. */
export const modelless = 'none reached'

interface RevenueTableProps {
  byModel: ReadonlyMap<string, Earned>
  total: Earned
  /** Whose days are shown above; undefined: of all. */
  chosen: string | undefined
}

/** Revenue against vendor cost by model, what brought the most first, and in all. */
export function RevenueTable({ byModel, total, chosen }: RevenueTableProps) {
  const rows = [...byModel].toSorted(([, left], [, right]) => (left.revenue < right.revenue ? 1 : -1))
  return (
    <ScrollTable label="Revenue and vendor cost by model" minWidth={680} verticalSpacing="xs" isStacked>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Model</Table.Th>
          <Table.Th ta="right">Requests</Table.Th>
          <Table.Th ta="right">Revenue</Table.Th>
          <Table.Th ta="right">Vendor cost</Table.Th>
          <Table.Th ta="right">Margin</Table.Th>
          <Table.Th ta="right">Margin, %</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([model, earned]) => (
          <Table.Tr key={model} bg={model === chosen ? 'var(--mantine-color-default-hover)' : undefined}>
            <Table.Td data-place="name">
              <ModelLink model={model} />
            </Table.Td>
            <EarnedCells earned={earned} />
          </Table.Tr>
        ))}
      </Table.Tbody>
      <Table.Tfoot className={classes.total}>
        <Table.Tr>
          <Table.Th c="var(--mantine-color-text)" data-place="name">
            In all
          </Table.Th>
          <EarnedCells earned={total} isTotal />
        </Table.Tr>
      </Table.Tfoot>
    </ScrollTable>
  )
}

/** Leads to the same view, with the days of this model above. */
function ModelLink({ model }: { model: string }) {
  if (model === modelless)
    return (
      <Text size="sm" c="dimmed">
        {model}
      </Text>
    )
  return (
    <Anchor
      size="sm"
      fw={500}
      renderRoot={(props) => (
        <Link to="/operator" search={{ show: 'revenue', model }} replace resetScroll={false} {...props} />
      )}
    >
      {model}
    </Anchor>
  )
}

function EarnedCells({ earned, isTotal = false }: { earned: Earned; isTotal?: boolean }) {
  const margin = marginOf(earned)
  const unknown = earned.revenue - earned.costed
  const weight = isTotal ? { fw: 650 } : {}
  return (
    <>
      <Table.Td ta="right" data-label="Requests" {...weight}>
        {wholeNumber(earned.requests)}
      </Table.Td>
      <Table.Td ta="right" fw={isTotal ? 650 : 600} data-label="Revenue">
        <Money amount={earned.revenue} />
        {margin !== undefined && unknown > 0n && (
          <Text size="xs" c="dimmed" fw={400}>
            <Money amount={unknown} /> of unknown cost
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right" data-label="Vendor cost" {...weight}>
        {margin === undefined ? <Unknown /> : <Money amount={earned.vendorCost} />}
      </Table.Td>
      <Table.Td ta="right" data-label="Margin" {...weight}>
        {margin === undefined ? (
          <Unknown />
        ) : (
          <Signed below={margin.amount < 0n} children={<Money amount={margin.amount} />} />
        )}
      </Table.Td>
      <Table.Td ta="right" data-label="Margin, %" {...weight}>
        {margin === undefined ? (
          <Unknown />
        ) : (
          <Signed below={margin.amount < 0n} children={percentText(margin)} />
        )}
      </Table.Td>
    </>
  )
}

function Unknown() {
  return (
    <Text span size="sm" c="dimmed">
      unknown
    </Text>
  )
}

/** What is below nothing stands out, and has its sign besides its color. */
function Signed({ below, children }: { below: boolean; children: ReactNode }) {
  return (
    <Text span inherit {...(below && { c: 'var(--mantine-color-error)' })}>
      {children}
    </Text>
  )
}
