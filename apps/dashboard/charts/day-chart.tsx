import { Skeleton } from '@mantine/core'
import { longDayOf } from '../format/time.ts'
import { Legend, stackLegend } from './legend.tsx'
import type { StackRow } from './stack.ts'
import { StackTooltip } from './stack-tooltip.tsx'
import { StackedBars, type StackedBarsProps } from './stacked-bars.tsx'

/** What the legend takes where it has one line. */
const legendHeight = 38

interface DayChartProps extends Omit<StackedBarsProps, 'tooltip'> {
  /** A bar in words; its parts and their sum, where it is absent. */
  tooltip?: StackedBarsProps['tooltip']
}

/** Stacked bars by day with their legend. */
export function DayChart({ tooltip, ...props }: DayChartProps) {
  const { stack, format } = props
  const inWords = (row: StackRow) => (
    <StackTooltip title={longDayOf(row.at)} row={row} stack={stack} format={format} />
  )
  return (
    <>
      <StackedBars {...props} tooltip={tooltip ?? inWords} />
      <Legend entries={stackLegend(stack, format)} />
    </>
  )
}

/** In place of a chart of this height while its figures come. */
export function DayChartSkeleton({ height }: { height: number }) {
  return <Skeleton height={height + legendHeight} />
}
