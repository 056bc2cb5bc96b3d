import { Table, UnstyledButton, VisuallyHidden, type MantineBreakpoint, type TableProps } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '../../icons/icons.ts'
import { useState, type ReactNode } from 'react'
import classes from './data-table.module.css'
import { ScrollTable } from './scroll-table.tsx'

export interface Column<Row> {
  head: string
  /** Only screen readers see the head, as always for actions: the cells explain themselves. */
  isHeadHidden?: boolean
  align?: 'right'
  weight?: number
  width?: number
  /**
   * For a stacked row: `name`, `figure` and `action` share its first line; `words` need no label. Absent:
   * the cell is labelled with its head.
   */
  place?: 'name' | 'figure' | 'action' | 'words'
  cell: (row: Row) => ReactNode
  /** Present if the table can be sorted by this column. */
  orderBy?: (row: Row) => bigint | string
  /** Hidden on narrower screens. */
  visibleFrom?: MantineBreakpoint
}

interface DataTableProps<Row> extends Omit<TableProps, 'children'> {
  label: string
  minWidth: number
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Highlights the row. */
  isChosen?: (row: Row) => boolean
  /** The sum of the rows, shown in the footer. */
  total?: Row
  /** On a phone the cells of a row are stacked, unless this is false. */
  isStacked?: boolean
  /** Stays last, however the rows are sorted. */
  isLast?: (row: Row) => boolean
  /** The first column stays in place while the others scroll sideways. */
  hasFixedName?: boolean
}

interface Order {
  column: number
  isAscending: boolean
}

/** A table built from columns that define both head and cell. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, keyOf, isChosen, total, isLast = () => false, isStacked = true, ...table } = props
  const [order, setOrder] = useState<Order>()
  return (
    <ScrollTable isStacked={isStacked} {...table}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column, index) => (
            <Head
              key={index}
              column={column}
              order={order?.column === index ? order : undefined}
              // First click: largest figures first, or names from A; second: reversed; third: the original
              // order.
              onOrder={() => setOrder(nextOrder(order, index, column.align !== 'right'))}
            />
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sortRows(rows, columns, order, isLast).map((row) => (
          <Table.Tr key={keyOf(row)} bg={isChosen?.(row) ? 'var(--mantine-color-default-hover)' : undefined}>
            {columns.map((column, index) => (
              <Table.Td key={index} {...cellProps(column)} fw={column.weight}>
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

function nextOrder(before: Order | undefined, column: number, isAscendingFirst: boolean): Order | undefined {
  if (before?.column !== column) return { column, isAscending: isAscendingFirst }
  return before.isAscending === isAscendingFirst ? { column, isAscending: !isAscendingFirst } : undefined
}

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  order: Order | undefined,
  isLast: (row: Row) => boolean,
): readonly Row[] {
  const orderBy = order && columns[order.column]?.orderBy
  if (orderBy === undefined) return rows
  const sign = order?.isAscending === true ? 1 : -1
  const compareRows = (left: Row, right: Row): number => {
    const [one, other] = [orderBy(left), orderBy(right)]
    if (typeof one === 'string' || typeof other === 'string') return String(one).localeCompare(String(other))
    return one < other ? -1 : one > other ? 1 : 0
  }
  return rows.toSorted(
    (left, right) => Number(isLast(left)) - Number(isLast(right)) || sign * compareRows(left, right),
  )
}

interface HeadProps<Row> {
  column: Column<Row>
  order: Order | undefined
  onOrder: () => void
}

function Head<Row>({ column, order, onOrder }: HeadProps<Row>) {
  const { head, place, isHeadHidden = place === 'action', align, width, orderBy, visibleFrom } = column
  const Arrow = order?.isAscending === true ? IconArrowUp : IconArrowDown
  return (
    <Table.Th
      ta={align}
      w={width}
      visibleFrom={visibleFrom}
      {...(order && { 'aria-sort': order.isAscending ? 'ascending' : 'descending' })}
    >
      {isHeadHidden && <VisuallyHidden>{head}</VisuallyHidden>}
      {!isHeadHidden && orderBy === undefined && head}
      {orderBy !== undefined && (
        <UnstyledButton className={classes.order} onClick={onOrder} title={head}>
          <span className={classes.head}>{head}</span>
          {order !== undefined && <Arrow size={13} aria-hidden />}
        </UnstyledButton>
      )}
    </Table.Th>
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
          <Table.Td key={index} {...cellProps(column)} fw={650}>
            {column.cell(total)}
          </Table.Td>
        ))}
      </Table.Tr>
    </Table.Tfoot>
  )
}

/** The data attributes that the style sheet of stacked tables uses. */
function cellProps<Row>({ align, place, head, visibleFrom }: Column<Row>) {
  return {
    ta: align,
    visibleFrom,
    'data-place': place,
    'data-label': place === undefined ? head : undefined,
  }
}
