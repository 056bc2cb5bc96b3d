import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Legend } from './legend.tsx'
import { loadChart } from './load-chart.ts'
import type { StackedBarsProps } from './stacked-bars.tsx'

const StackedBars = lazy(loadChart)

/** What the legend takes where it has one line. */
const legendHeight = 38

/** Stacked bars by day with their legend, as high while they come as they will be. */
export function DayChart(props: StackedBarsProps) {
  return (
    <>
      <Suspense fallback={<Skeleton height={props.height} />}>
        <StackedBars {...props} />
      </Suspense>
      <Legend stack={props.stack} format={props.format} />
    </>
  )
}

/** In place of a chart of this height while its figures come. */
export function DayChartSkeleton({ height }: { height: number }) {
  return <Skeleton height={height + legendHeight} />
}
