import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { Legend } from './legend.tsx'
import type { StackedBarsProps } from './stacked-bars.tsx'

/** The drawing is a third of all code, and comes only where something is drawn. */
const StackedBars = lazy(() => import('./stacked-bars.tsx'))

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
