import type { ReactNode } from 'react'
import { visibleLimit } from './limit.ts'
import { tenths, Plot, type PlotProps, type Scale } from './plot.tsx'
import type { Stack, StackRow } from './stack.ts'
import type { Unit } from './unit.ts'

export interface StackedBarsProps extends Unit, Pick<PlotProps, 'height' | 'label' | 'nameOf' | 'nameEvery'> {
  stack: Stack
  /** The tooltip of a bar. */
  tooltip: (row: StackRow) => ReactNode
  /** A limit that bars should stay below; drawn unless it is far above all of them. */
  limit?: number | undefined
}

const maxBarWidth = 34

/** Values over time as stacked bars. */
export function StackedBars(props: StackedBarsProps) {
  const { stack, tooltip, limit: requestedLimit, format: _format, ...plot } = props
  const { rows, series } = stack
  const limit = visibleLimit(stack, requestedLimit)
  return (
    <Plot
      {...plot}
      ats={rows.map(({ at }) => at)}
      largest={Math.max(0, limit ?? 0, ...rows.map(sumOf))}
      tooltip={(index) => tooltip(rows[index]!)}
    >
      {(scale) => (
        <>
          {series.map(({ key, name, color }, place) => (
            <path key={key} fill={color} data-series={name} d={barsOf(stack, place, scale)} />
          ))}
          {limit !== undefined && <LimitLine value={limit} count={rows.length} scale={scale} />}
        </>
      )}
    </Plot>
  )
}

interface LimitLineProps {
  value: number
  /** The number of places. */
  count: number
  scale: Scale
}

function LimitLine({ value, count, scale: { middleOf, yOf, step } }: LimitLineProps) {
  return (
    <path
      data-limit={value}
      fill="none"
      stroke="var(--mantine-color-error)"
      strokeWidth={1.5}
      strokeDasharray="6 4"
      d={`M${tenths(middleOf(0) - step / 2)} ${tenths(yOf(value))}H${tenths(middleOf(count - 1) + step / 2)}`}
    />
  )
}

/** Draws all bars of a series as one path, so that a year of them costs no more than a few. */
function barsOf(stack: Stack, place: number, { middleOf, yOf, step }: Scale): string {
  const width = Math.min(maxBarWidth, Math.max(1, step * 0.78))
  return stack.rows
    .map((row, index) => {
      const value = Number(row.values[place] ?? 0n)
      if (value <= 0) return ''
      const base = row.values.slice(0, place).reduce((sum, one) => sum + Number(one), 0)
      const [low, high] = [yOf(base), yOf(base + value)]
      const [left, right] = [tenths(middleOf(index) - width / 2), tenths(middleOf(index) + width / 2)]
      return `M${left} ${tenths(low)}H${right}V${tenths(high)}H${left}Z`
    })
    .join('')
}

function sumOf(row: StackRow): number {
  return row.values.reduce((sum, value) => sum + Number(value), 0)
}
