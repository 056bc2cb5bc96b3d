import { Group, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useBudgetsOn } from '../../budgets/budgets-on.ts'
import { DayChartSkeleton } from '../../charts/day-chart.tsx'
import type { Places } from '../../charts/places.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Panel } from '../../components/panel.tsx'
import { usePlaces } from '../../filters/use-places.ts'
import { dimensionWord } from './group-names.ts'
import { measureFacts } from './measures.ts'
import {
  defaultBy,
  measureOf,
  measures,
  type Measure,
  type UsageDimension,
  type UsageView,
} from './usage-search.ts'
import { TimeChart } from './time-chart.tsx'
import { seriesOf, viewQueries } from './view-queries.ts'

const NothingToDraw = lazyPart(() => import('./nothing-to-draw.tsx'))

const route = getRouteApi('/usage')
const chartHeight = 280

/** The breakdown's dimension over time. */
export function OverTime() {
  const view = route.useSearch()
  const { by = defaultBy } = view
  const measure = measureOf(view)
  const series = seriesOf(by)
  const places = usePlaces(view)
  const query = useQuery(viewQueries(view).overTime)
  // Requested together with the figures.
  const budgets = useBudgetsOn(view, measure === 'cost')
  const hasSums = view.sum !== undefined || budgets.some(({ period }) => period !== 'total')
  return (
    <Panel
      title={`${measureFacts[measure].label} over time`}
      description={describe(places, series, view.sum === 'running')}
      actions={
        <Group gap="xs">
          {hasSums && <SumChoice places={places} />}
          <MeasureChoice />
        </Group>
      }
    >
      <Loaded query={query} skeleton={<DayChartSkeleton height={chartHeight} />}>
        {({ data, others, by: [, shown] }) =>
          data.length === 0 ? (
            <Suspense fallback={<DayChartSkeleton height={chartHeight} />}>
              <NothingToDraw />
            </Suspense>
          ) : (
            <>
              <TimeChart
                groups={data}
                series={shown}
                places={places}
                view={view}
                budgets={budgets}
                height={chartHeight}
              />
              {others !== null && <Undrawn value={measureFacts[measure].valueOf(others)} measure={measure} />}
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}

/** Changes how the data is shown, not which data. */
function useShow(): (changed: Pick<UsageView, 'measure' | 'sum'>) => void {
  const navigate = route.useNavigate()
  return (changed) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false })
}

function MeasureChoice() {
  const view = route.useSearch()
  const show = useShow()
  return (
    <SegmentedControl
      size="xs"
      aria-label="Measure"
      value={measureOf(view)}
      data={measures.map((value) => ({
        value,
        label: measureFacts[value].label,
        // Failed requests cost nothing.
        disabled: value === 'cost' && view.outcome === 'failed',
      }))}
      onChange={(measure) => show({ measure })}
    />
  )
}

/** Running sums, to compare a monthly budget with the spend since its first day. */
function SumChoice({ places: { unit } }: { places: Places }) {
  const { sum } = route.useSearch()
  const show = useShow()
  return (
    <SegmentedControl
      size="xs"
      aria-label="Bars"
      value={sum ?? 'each'}
      data={[
        { value: 'each', label: `Each ${unit}` },
        { value: 'running', label: 'Running total' },
      ]}
      onChange={(value) => show({ sum: value === 'running' ? value : undefined })}
    />
  )
}

function describe({ unit }: Places, series: UsageDimension | undefined, isRunning: boolean): string {
  const sums = isRunning ? `Running total from the first ${unit}, by ${unit}` : undefined
  if (series !== undefined) return `${sums ?? `By ${unit}`} and ${dimensionWord(series)}`
  const overlap = 'tags overlap, so only tag keys are stacked.'
  return `${sums ?? `Total by ${unit}`}: ${overlap}`
}

/** Says so if the bars leave something out. */
function Undrawn({ value, measure }: { value: bigint; measure: Measure }) {
  const { label, unit } = measureFacts[measure]
  return (
    <Text size="sm" c="dimmed" mt="sm">
      {label} of {unit.format(value)} is in groups that are too small to draw by day. The table below includes
      it.
    </Text>
  )
}
