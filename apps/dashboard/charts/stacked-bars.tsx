import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import type { ReactNode } from 'react'
import { longDayOf, shortDayOf } from '../format/time.ts'
import type { Unit } from './unit.ts'
import type { Stack, StackRow } from './stack.ts'
import { StackTooltip } from './stack-tooltip.tsx'

export interface StackedBarsProps extends Unit {
  stack: Stack
  height: number
  /** In words what is to be seen, for those who do not see it. */
  label: string
  /** A bar in words; its parts and their sum, where it is absent. */
  tooltip?: (row: StackRow) => ReactNode
}

/** Values by day, UTC, as stacked bars. */
export default function StackedBars({ stack, height, label, format, formatAxis, tooltip }: StackedBarsProps) {
  return (
    <div role="img" aria-label={label}>
      <BarChart
        h={height}
        data={stack.rows}
        dataKey="at"
        type="stacked"
        series={stack.series.map(({ key, name, color }) => ({ name: key, label: name, color }))}
        maxBarWidth={34}
        gridAxis="x"
        tickLine="none"
        strokeDasharray="0"
        gridColor="var(--mantine-color-default-border)"
        textColor="dimmed"
        accessibilityLayer={false}
        valueFormatter={formatAxis}
        yAxisProps={{ width: 56, tickCount: 4 }}
        xAxisProps={{
          tickFormatter: shortDayOf,
          minTickGap: 28,
          tickMargin: 8,
          interval: 'equidistantPreserveStart',
        }}
        barProps={{ isAnimationActive: false }}
        tooltipProps={{
          isAnimationActive: false,
          content: ({ payload }) => {
            const row = payload?.[0]?.payload as StackRow | undefined
            if (row === undefined) return null
            if (tooltip !== undefined) return tooltip(row)
            return <StackTooltip title={longDayOf(row.at)} row={row} stack={stack} format={format} />
          },
        }}
      />
    </div>
  )
}
