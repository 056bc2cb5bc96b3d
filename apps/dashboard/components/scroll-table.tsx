import { Table, type TableProps } from '@mantine/core'
import classes from './scroll-table.module.css'

interface ScrollTableProps extends TableProps {
  label: string
  /** Narrower than this it scrolls aside rather than squeezing its figures. */
  minWidth: number
}

/** A table that keeps its shape on a phone. The keyboard reaches what it scrolls (WCAG 2.1.1). */
export function ScrollTable({ label, minWidth, children, ...table }: ScrollTableProps) {
  return (
    <div className={classes.frame} role="region" aria-label={label} tabIndex={0}>
      <Table miw={minWidth} classNames={{ th: classes.th, td: classes.td, tr: classes.tr }} {...table}>
        {children}
      </Table>
    </div>
  )
}
