import { useElementSize } from '@mantine/hooks'
import { useState, type PointerEvent, type ReactNode } from 'react'
import { shortDayOf } from '../format/time.ts'
import { marksOf, labelPlaces } from './axis.ts'
import classes from './plot.module.css'

export interface PlotProps {
  /** The places along the axis, in order. */
  ats: readonly string[]
  /** The axis goes from 0 to a round value that is at least this. */
  largest: number
  height: number
  /** Describes the chart for screen readers. */
  label: string
  formatAxis: (value: number) => string
  /** The tooltip of a place. */
  tooltip: (index: number) => ReactNode
  /** The label below a place; by default its day. */
  nameOf?: (at: string) => string
  /** Label one of this many places: hours of several days are labelled at midnight. */
  nameEvery?: number
  /** Draws the content. */
  children: (scale: Scale) => ReactNode
}

/** Coordinates in pixels. */
export interface Scale {
  middleOf: (index: number) => number
  yOf: (value: number) => number
  /** The distance between two places. */
  step: number
}

/** Space for the axes, in pixels. */
const room = { left: 62, right: 4, top: 12, bottom: 26 }
const nameWidth = 58
/** Used until the width is known, which is before the first paint. */
const firstWidth = 800

/** Axes of values over time (UTC), with the content between them. SVG, so that it prints and scales. */
export function Plot(props: PlotProps) {
  const { ats, height, label, tooltip } = props
  const { ref, width: measured } = useElementSize()
  const [shown, setShown] = useState<number>()
  const width = measured > 0 ? measured : firstWidth
  const step = (width - room.left - room.right) / Math.max(1, ats.length)
  const onMove = (event: PointerEvent<HTMLDivElement>) => {
    const place = Math.floor(
      (event.clientX - event.currentTarget.getBoundingClientRect().left - room.left) / step,
    )
    setShown(place >= 0 && place < ats.length ? place : undefined)
  }
  const isShown = shown !== undefined && shown < ats.length
  const isLeft = isShown && shown > ats.length / 2
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
        <Drawing {...props} width={width} step={step} shown={isShown ? shown : undefined} />
      </svg>
      {isShown && (
        <div
          className={classes.words}
          style={isLeft ? { right: width - middle + step / 2 + 8 } : { left: middle + step / 2 + 8 }}
        >
          {tooltip(shown)}
        </div>
      )}
    </div>
  )
}

interface DrawingProps extends PlotProps {
  width: number
  /** The distance between two places. */
  step: number
  shown: number | undefined
}

function Drawing(props: DrawingProps) {
  const { ats, largest, height, width, step, shown, formatAxis, children } = props
  const { nameOf = shortDayOf, nameEvery = 1 } = props
  const inner = height - room.top - room.bottom
  const marks = marksOf(largest)
  const top = marks.at(-1)! || 1
  const yOf = (value: number): number => room.top + inner * (1 - value / top)
  const middleOf = (index: number): number => room.left + (index + 0.5) * step
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
      {labelPlaces(ats.length, width - room.left, nameWidth, nameEvery).map((index) => (
        <text key={index} className={classes.mark} x={middleOf(index)} y={height - 6} textAnchor="middle">
          {nameOf(ats[index]!)}
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
      {children({ middleOf, yOf, step })}
    </>
  )
}

/** Rounds to tenths of a pixel. */
export function tenths(value: number): string {
  return String(Math.round(value * 10) / 10)
}
