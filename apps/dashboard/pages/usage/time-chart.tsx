import { Suspense, useMemo } from 'react'
import type { Budget } from '../../api/budget-queries.ts'
import { pairOf, type Breakdown } from '../../api/usage-queries.ts'
import { isDrawn } from '../../budgets/drawn-budgets.ts'
import { DayChart } from '../../charts/day-chart.tsx'
import type { Places } from '../../charts/places.ts'
import { runningOf } from '../../charts/running.ts'
import { stackOf } from '../../charts/stack.ts'
import { StackTooltip } from '../../charts/stack-tooltip.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { parseUsd } from '../../format/money.ts'
import { dimensionWord, namelessOf, useGroupNames } from './group-names.ts'
import { measureFacts } from './measures.ts'
import { measureOf, type UsageDimension, type UsageView } from './usage-search.ts'

const BudgetNote = lazyPart(() => import('./budget-note.tsx'))

interface TimeChartProps {
  /** By time, and by the series, if any. */
  groups: Breakdown['data']
  /** The parts of the bars; undefined: bars have no parts. */
  series: UsageDimension | undefined
  places: Places
  /** Which requests are shown, and how. */
  view: UsageView
  /** Budgets that apply to exactly the requests on screen. */
  budgets: readonly Budget[]
  height: number
}

/** Spend, requests or tokens over time, with a budget's limit if it fits the bars. */
export function TimeChart({ groups, series, places, view, budgets, height }: TimeChartProps) {
  const nameOf = useGroupNames(series)
  const isRunning = view.sum === 'running'
  const { valueOf, unit, label } = measureFacts[measureOf(view)]
  const stack = useMemo(() => {
    const cells = groups.map((group) => {
      const [at, name] = pairOf(group)
      return {
        at: places.placeOf(at ?? ''),
        name: series === undefined ? 'in total' : name,
        value: valueOf(group),
      }
    })
    const each = stackOf(cells, places.ats, series === undefined ? '' : namelessOf(series))
    return isRunning ? runningOf(each, Date.now()) : each
  }, [groups, series, places, valueOf, isRunning])
  const named = {
    ...stack,
    series: stack.series.map((one) => ({
      ...one,
      name: series === undefined ? one.name : nameOf(series, one.name),
    })),
  }
  const drawn = budgets.find((budget) => isDrawn(budget, places, isRunning))
  const what = isRunning ? `Running total of ${label.toLowerCase()}` : label
  const within = series === undefined ? '' : ` and ${dimensionWord(series)}`
  return (
    <>
      <DayChart
        stack={named}
        height={height}
        limit={drawn && Number(parseUsd(drawn.limit_usd))}
        label={`${what} by ${places.unit}${within}; the table below has the figures`}
        nameOf={places.name}
        tooltip={(row) => (
          <StackTooltip title={places.title(row.at)} row={row} stack={named} format={unit.format} />
        )}
        {...unit}
      />
      {budgets.length > 0 && (
        <Suspense fallback={null}>
          <BudgetNote budgets={budgets} drawn={drawn} stack={named} view={view} />
        </Suspense>
      )}
    </>
  )
}
