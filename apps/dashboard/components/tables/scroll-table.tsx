import { Table, type TableProps } from '@mantine/core'
import classes from './scroll-table.module.css'

interface ScrollTableProps extends TableProps {
  label: string
  /** Narrower than this it scrolls aside rather than squeezing its figures. */
  minWidth: number
  /**
   * On a phone its rows are below each other: a cell says by `data-label` what it is there; `data-place` says
   * that it is the row's `name`, `figure` or `action`, which share the first line.
   */
  isStacked?: boolean
  /** The first column stays where the others scroll aside. */
  hasFixedName?: boolean
}

/** A table that keeps its shape. The keyboard reaches what it scrolls (WCAG 2.1.1). */
export function ScrollTable(props: ScrollTableProps) {
  const { label, minWidth, isStacked = false, hasFixedName = false, children, ...table } = props
  return (
    <div className={classes.frame} role="region" aria-label={label} tabIndex={0}>
      <Table
        miw={isStacked ? { base: 0, sm: minWidth } : minWidth}
        classNames={{ thead: classes.thead, th: classes.th, td: classes.td, tr: classes.tr }}
        data-stacked={isStacked || undefined}
        data-fixed-name={hasFixedName || undefined}
        {...table}
      >
        {children}
      </Table>
    </div>
  )
}
