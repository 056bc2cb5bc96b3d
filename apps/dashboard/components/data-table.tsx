import { Table, VisuallyHidden, type TableProps } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './data-table.module.css'
import { ScrollTable } from './scroll-table.tsx'

export interface Column<Row> {
  head: string
  /** The head is for screen readers alone: who sees the cells needs none. */
  isHeadHidden?: boolean
  align?: 'right'
  weight?: number
  width?: number
  /**
   * Of a stacked row: its name, figure or action, which share the first line, or words that say by themselves
   * what they are. Absent: its head stands before it.
   */
  place?: 'name' | 'figure' | 'action' | 'words'
  cell: (row: Row) => ReactNode
}

interface DataTableProps<Row> extends Omit<TableProps, 'children'> {
  label: string
  minWidth: number
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Stands out from the others. */
  isChosen?: (row: Row) => boolean
  /** The sum of the rows, at the foot. */
  total?: Row
  isStacked?: boolean
}

/** Rows and their heads, by columns that say both. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, keyOf, isChosen, total, ...table } = props
  return (
    <ScrollTable {...table}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column, index) => (
            <Table.Th key={index} ta={column.align} w={column.width}>
              {column.isHeadHidden ? <VisuallyHidden>{column.head}</VisuallyHidden> : column.head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)} bg={isChosen?.(row) ? 'var(--mantine-color-default-hover)' : undefined}>
            {columns.map((column, index) => (
              <Table.Td key={index} {...placed(column)} fw={column.weight}>
                {column.cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
      {total !== undefined && <Foot columns={columns} total={total} />}
    </ScrollTable>
  )
}

interface FootProps<Row> {
  columns: readonly Column<Row>[]
  total: Row
}

function Foot<Row>({ columns: [name, ...figures], total }: FootProps<Row>) {
  return (
    <Table.Tfoot className={classes.foot}>
      <Table.Tr>
        <Table.Th c="var(--mantine-color-text)" data-place="name">
          {name?.cell(total)}
        </Table.Th>
        {figures.map((column, index) => (
          <Table.Td key={index} {...placed(column)} fw={650}>
            {column.cell(total)}
          </Table.Td>
        ))}
      </Table.Tr>
    </Table.Tfoot>
  )
}

/** As the style sheet of stacked tables knows them. */
function placed<Row>({ align, place, head }: Column<Row>) {
  return { ta: align, 'data-place': place, 'data-label': place === undefined ? head : undefined }
}
