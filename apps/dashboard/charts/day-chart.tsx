import { Skeleton } from '@mantine/core'
import { longDayOf } from '../format/time.ts'
import { Legend, stackLegend } from './legend.tsx'
import type { StackRow } from './stack.ts'
import { StackTooltip } from './stack-tooltip.tsx'
import { StackedBars, type StackedBarsProps } from './stacked-bars.tsx'

/** Height of a legend with one line. */
const legendHeight = 38

interface DayChartProps extends Omit<StackedBarsProps, 'tooltip'> {
  /** The tooltip of a bar; by default its parts and their sum. */
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

/** A placeholder of the chart's height while its data loads. */
export function DayChartSkeleton({ height }: { height: number }) {
  return <Skeleton height={height + legendHeight} />
}
