import { useMemo } from 'react'
import { DayChart } from '../../charts/day-chart.tsx'
import type { Places } from '../../charts/places.ts'
import { StackTooltip } from '../../charts/stack-tooltip.tsx'
import { inNumbers, type Unit } from '../../charts/unit.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { IconCircleCheck } from '../../icons/icons.ts'
import { causeOf } from '../requests/failures.ts'
import { countStack, million, shareStack } from './error-stacks.ts'
import type { Health } from './health-queries.ts'
import type { ErrorMeasure } from './health-search.ts'
import { countFailures, percent } from './rates.ts'
import { chartHeight, SeriesPanel } from './series-panel.tsx'

interface ErrorsOverTimeProps {
  /** By hour or day. */
  health: Health
  places: Places
  measure: ErrorMeasure
  onMeasure: (measure: ErrorMeasure) => void
}

/** When requests failed, and why. */
export function ErrorsOverTime({ health, places, measure, onMeasure }: ErrorsOverTimeProps) {
  return (
    <SeriesPanel
      title={measure === 'rate' ? 'Error rate' : 'Errors'}
      description={`By ${places.unit} and cause`}
      label="Show errors as"
      choices={{ rate: 'Rate', requests: 'Requests' }}
      chosen={measure}
      onChoose={onMeasure}
    >
      {countFailures(health.total) === 0 ? (
        <EmptyNote icon={IconCircleCheck} title="No request failed" />
      ) : (
        <Chart health={health} places={places} measure={measure} />
      )}
    </SeriesPanel>
  )
}

const inShares: Unit = {
  format: (value) => percent(Number(value) / million),
  formatAxis: (value) => percent(value / million),
}

function Chart({ health, places, measure }: Omit<ErrorsOverTimeProps, 'onMeasure'>) {
  const stack = useMemo(() => {
    const { data, total } = health
    const byType = measure === 'rate' ? shareStack(data, places, total) : countStack(data, places)
    return { ...byType, series: byType.series.map((one) => ({ ...one, name: causeOf(one.name).title })) }
  }, [health, places, measure])
  const unit = measure === 'rate' ? inShares : inNumbers
  const what = measure === 'rate' ? 'Error rate' : 'Errors'
  return (
    <DayChart
      stack={stack}
      height={chartHeight}
      label={`${what} by ${places.unit} and cause; the causes below have the figures`}
      nameOf={places.name}
      nameEvery={places.nameEvery}
      tooltip={(row) => (
        <StackTooltip title={places.title(row.at)} row={row} stack={stack} format={unit.format} />
      )}
      {...unit}
    />
  )
}
