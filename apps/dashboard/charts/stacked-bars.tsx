import { useElementSize } from '@mantine/hooks'
import { useState, type PointerEvent, type ReactNode } from 'react'
import { shortDayOf } from '../format/time.ts'
import { marksOf, namedPlaces } from './axis.ts'
import type { Stack, StackRow } from './stack.ts'
import classes from './stacked-bars.module.css'
import type { Unit } from './unit.ts'

export interface StackedBarsProps extends Unit {
  stack: Stack
  height: number
  /** In words what is to be seen, for those who do not see it. */
  label: string
  /** A bar in words. */
  tooltip: (row: StackRow) => ReactNode
  /** What stands below a bar; by default its day. */
  nameOf?: (at: string) => string
}

/** Room for the axes, in pixels. */
const room = { left: 62, right: 4, top: 12, bottom: 26 }
const nameWidth = 58
const maxBarWidth = 34
/** Until the width is known, which is before the first paint. */
const firstWidth = 800

/** Values by time, UTC, as stacked bars: SVG, so that it prints and scales. */
export function StackedBars(props: StackedBarsProps) {
  const { stack, height, label, tooltip } = props
  const { ref, width: measured } = useElementSize()
  const [shown, setShown] = useState<number>()
  const width = measured > 0 ? measured : firstWidth
  const step = (width - room.left - room.right) / Math.max(1, stack.rows.length)
  const onMove = (event: PointerEvent<HTMLDivElement>) => {
    const place = Math.floor(
      (event.clientX - event.currentTarget.getBoundingClientRect().left - room.left) / step,
    )
    setShown(place >= 0 && place < stack.rows.length ? place : undefined)
  }
  const row = shown === undefined ? undefined : stack.rows[shown]
  const isLeft = shown !== undefined && shown > stack.rows.length / 2
  const middle = room.left + ((shown ?? 0) + 0.5) * step
  return (
    <div
      ref={ref}
      className={classes.frame}
      onPointerMove={onMove}
      onPointerLeave={() => setShown(undefined)}
    >
      <svg
        className={classes.drawing}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={label}
      >
        <Drawing {...props} width={width} step={step} shown={shown} />
      </svg>
      {row !== undefined && (
        <div
          className={classes.words}
          style={isLeft ? { right: width - middle + step / 2 + 8 } : { left: middle + step / 2 + 8 }}
        >
          {tooltip(row)}
        </div>
      )}
    </div>
  )
}

interface DrawingProps extends StackedBarsProps {
  width: number
  /** From one bar to the next. */
  step: number
  shown: number | undefined
}

function Drawing({ stack, height, width, step, shown, formatAxis, nameOf = shortDayOf }: DrawingProps) {
  const inner = height - room.top - room.bottom
  const marks = marksOf(Math.max(0, ...stack.rows.map(sumOf)))
  const top = marks.at(-1)! || 1
  const yOf = (value: number): number => room.top + inner * (1 - value / top)
  const barWidth = Math.min(maxBarWidth, Math.max(1, step * 0.78))
  const leftOf = (index: number): number => room.left + (index + 0.5) * step - barWidth / 2
  return (
    <>
      {marks.map((mark) => (
        <g key={mark}>
          <line
            className={classes.line}
            x1={room.left}
            x2={width - room.right}
            y1={yOf(mark)}
            y2={yOf(mark)}
          />
          <text className={classes.mark} x={room.left - 8} y={yOf(mark)} dy="0.32em" textAnchor="end">
            {formatAxis(mark)}
          </text>
        </g>
      ))}
      {namedPlaces(stack.rows.length, width - room.left, nameWidth).map((index) => (
        <text
          key={index}
          className={classes.mark}
          x={leftOf(index) + barWidth / 2}
          y={height - 6}
          textAnchor="middle"
        >
          {nameOf(stack.rows[index]!.at)}
        </text>
      ))}
      {shown !== undefined && (
        <rect
          className={classes.cursor}
          x={room.left + shown * step}
          y={room.top}
          width={step}
          height={inner}
        />
      )}
      {stack.series.map((series, place) => (
        <path
          key={series.key}
          fill={series.color}
          data-series={series.name}
          d={barsOf(stack, place, { leftOf, yOf, barWidth })}
        />
      ))}
    </>
  )
}

interface Scale {
  leftOf: (index: number) => number
  yOf: (value: number) => number
  barWidth: number
}

/** All bars of a series in one path: a year of them costs no more than a few. */
function barsOf(stack: Stack, place: number, { leftOf, yOf, barWidth }: Scale): string {
  return stack.rows
    .map((row, index) => {
      const value = Number(row.values[place] ?? 0n)
      if (value <= 0) return ''
      const base = row.values.slice(0, place).reduce((sum, one) => sum + Number(one), 0)
      const [low, high] = [yOf(base), yOf(base + value)]
      const [left, right] = [fixed(leftOf(index)), fixed(leftOf(index) + barWidth)]
      return `M${left} ${fixed(low)}H${right}V${fixed(high)}H${left}Z`
    })
    .join('')
}

/** Tenths of a pixel are enough. */
function fixed(value: number): string {
  return String(Math.round(value * 10) / 10)
}

function sumOf(row: StackRow): number {
  return row.values.reduce((sum, value) => sum + Number(value), 0)
}
