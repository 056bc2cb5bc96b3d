import { useMemo } from 'react'
import { LineChart } from '../../charts/lines.tsx'
import type { Places } from '../../charts/places.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { duration } from '../../format/number.ts'
import { IconActivity } from '../../icons/icons.ts'
import type { Health, HealthFigures } from './health-queries.ts'
import type { TimeMeasure } from './health-search.ts'
import { cacheShareOf, percent, speed } from './rates.ts'
import { chartHeight, SeriesPanel } from './series-panel.tsx'

type ValueOf = (figures: HealthFigures) => number | null

interface MeasureFacts {
  /** The label on the control. */
  choice: string
  title: string
  format: (value: number) => string
  lines: { name: string; color: string; valueOf: ValueOf }[]
  /** Shown if there is nothing to draw. */
  nothing: string
}

const half = { name: 'median (p50)', color: 'var(--chart-1)' }
const most = { name: '95 % within (p95)', color: 'var(--chart-3)' }

const measures: Record<TimeMeasure, MeasureFacts> = {
  first: {
    choice: 'First token',
    title: 'Time to the first token',
    format: duration,
    lines: [
      { ...half, valueOf: (figures) => figures.time_to_first_token_ms.p50 },
      { ...most, valueOf: (figures) => figures.time_to_first_token_ms.p95 },
    ],
    nothing: 'No streamed answers',
  },
  whole: {
    choice: 'Full answer',
    title: 'Time to the end of the answer',
    format: duration,
    lines: [
      { ...half, valueOf: (figures) => figures.latency_ms.p50 },
      { ...most, valueOf: (figures) => figures.latency_ms.p95 },
    ],
    nothing: 'No answers',
  },
  speed: {
    choice: 'Speed',
    title: 'Tokens per second',
    format: speed,
    lines: [
      { name: 'of an answer', color: 'var(--chart-2)', valueOf: (figures) => figures.tokens_per_second },
    ],
    nothing: 'No answers',
  },
  cache: {
    choice: 'Cache',
    title: 'Cached input',
    format: percent,
    lines: [{ name: 'of all input tokens', color: 'var(--chart-5)', valueOf: cacheShareOf }],
    nothing: 'No input',
  },
}

interface TimesOverTimeProps {
  /** By hour or day. */
  health: Health
  places: Places
  measure: TimeMeasure
  onMeasure: (measure: TimeMeasure) => void
}

/** Response times, speed, and the share of input from caches. */
export function TimesOverTime({ health, places, measure, onMeasure }: TimesOverTimeProps) {
  const { title } = measures[measure]
  const choices = Object.fromEntries(
    Object.entries(measures).map(([name, { choice }]) => [name, choice]),
  ) as Record<TimeMeasure, string>
  return (
    <SeriesPanel
      title={title}
      description={`By ${places.unit}`}
      label="Figure"
      choices={choices}
      chosen={measure}
      onChoose={onMeasure}
    >
      <Chart health={health} places={places} measure={measure} />
    </SeriesPanel>
  )
}

function Chart({ health, places, measure }: Omit<TimesOverTimeProps, 'onMeasure'>) {
  const { lines, format, title, nothing } = measures[measure]
  const drawn = useMemo(() => {
    const rows = new Map(health.data.map((row) => [row.group, row]))
    return lines.map(({ name, color, valueOf }) => ({
      name,
      color,
      total: valueOf(health.total),
      values: places.ats.map((at) => {
        const row = rows.get(at)
        return row === undefined ? null : valueOf(row)
      }),
    }))
  }, [health, places, lines])
  if (drawn.every(({ values }) => values.every((value) => value === null)))
    return <EmptyNote icon={IconActivity} title={nothing} />
  return (
    <LineChart
      ats={places.ats}
      lines={drawn}
      height={chartHeight}
      label={`${title} by ${places.unit}; the table below has the figures`}
      nameOf={places.name}
      nameEvery={places.nameEvery}
      title={places.title}
      format={format}
    />
  )
}
