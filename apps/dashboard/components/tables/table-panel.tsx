import type { ReactNode } from 'react'
import { Panel } from '../panel.tsx'
import classes from './table-panel.module.css'

interface TablePanelProps {
  title: string
  description?: ReactNode
  children: ReactNode
}

/** A table with a heading, as wide as its panel. */
export function TablePanel({ children, ...panel }: TablePanelProps) {
  return (
    <Panel {...panel}>
      <div className={classes.table}>{children}</div>
    </Panel>
  )
}
