import { Table, type TableProps } from '@mantine/core'
import classes from './scroll-table.module.css'

interface ScrollTableProps extends TableProps {
  label: string
  /** If it has less space, it scrolls sideways instead of squeezing its figures. */
  minWidth: number
  /**
   * On a phone its cells are stacked: `data-label` is a cell's label there; cells whose `data-place` is
   * `name`, `figure` or `action` share the row's first line.
   */
  isStacked?: boolean
  /** The first column stays in place while the others scroll sideways. */
  hasFixedName?: boolean
}

/** A table that keeps its layout. The keyboard can reach its scroll area (WCAG 2.1.1). */
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
