import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Legend } from './legend.tsx'
import { loadChart } from './load-chart.ts'
import type { StackedBarsProps } from './stacked-bars.tsx'

const StackedBars = lazy(loadChart)

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
