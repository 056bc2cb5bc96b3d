import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import type { Budget } from '../api/budget-queries.ts'
import type { Column } from '../components/tables/data-table.tsx'
import { lazyPart } from '../components/lazy-part.tsx'
import type { BudgetBarProps } from './budget-bar.tsx'
import { usedPercent } from './used.ts'

/** Its code is loaded when there is a budget. */
const BudgetBar = lazyPart<BudgetBarProps>(() =>
  import('./budget-bar.tsx').then((loaded) => ({ default: loaded.BudgetBar })),
)

/**
 * A column for rows that may each have a budget. It shows the budget's own period, whatever the page's
 * range.
 */
export function budgetColumn<Row>(budgetOf: (row: Row) => Budget | undefined): Column<Row> {
  return {
    head: 'Budget',
    align: 'right',
    width: 260,
    orderBy: (row) => {
      const budget = budgetOf(row)
      return budget === undefined ? -1n : BigInt(Math.round(usedPercent(budget) * 10))
    },
    cell: (row) => {
      const budget = budgetOf(row)
      return (
        budget !== undefined && (
          <Suspense fallback={<Skeleton height={30} />}>
            <BudgetBar budget={budget} isNamed />
          </Suspense>
        )
      )
    },
  }
}
