import { SegmentedControl, Text } from '@mantine/core'
import { IconChartBar } from '../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Budget } from '../../api/budget-queries.ts'
import { pairOf, type Breakdown } from '../../api/usage-queries.ts'
import { DayChart, DayChartSkeleton } from '../../charts/day-chart.tsx'
import { placesOf, type Places } from '../../charts/places.ts'
import { stackOf } from '../../charts/stack.ts'
import { StackTooltip } from '../../charts/stack-tooltip.tsx'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { defaultDays, type UsageFilters } from '../../filters/usage-filters.ts'
import { exactUsd, parseUsd } from '../../format/money.ts'
import { daysBetween, lastDays } from '../../format/time.ts'
import { useDrawnBudget } from './drawn-budget.ts'
import { dimensionWord, namelessOf, useGroupNames } from './group-names.ts'
import { measureFacts } from './measures.ts'
import { defaultBy, measureOf, measures, type Measure, type UsageDimension } from './usage-search.ts'
import { seriesOf, viewQueries } from './view-queries.ts'

const route = getRouteApi('/usage')
const chartHeight = 280

/** The breakdown's dimension over time. */
export function OverTime() {
  const view = route.useSearch()
  const { by = defaultBy, outcome } = view
  const measure = measureOf(view)
  const navigate = route.useNavigate()
  const series = seriesOf(by)
  const places = usePlaces(view)
  const query = useQuery(viewQueries(view).overTime)
  // Asked for together with the figures.
  const budget = useDrawnBudget(view, measure === 'cost' && places.unit === 'day')
  return (
    <Panel
      title={`${measureFacts[measure].label} over time`}
      description={describe(places, series)}
      actions={
        <SegmentedControl
          size="xs"
          aria-label="What is measured"
          value={measure}
          data={measures.map((value) => ({
            value,
            label: measureFacts[value].label,
            // They cost nothing.
            disabled: value === 'cost' && outcome === 'failed',
          }))}
          onChange={(value) =>
            void navigate({
              search: (before) => ({ ...before, measure: value }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      }
    >
      <Loaded query={query} skeleton={<DayChartSkeleton height={chartHeight} />}>
        {({ data, others, by: [, shown] }) =>
          data.length === 0 ? (
            <Nothing />
          ) : (
            <>
              <Chart groups={data} series={shown} places={places} budget={budget} />
              {others !== null && <Undrawn value={measureFacts[measure].valueOf(others)} measure={measure} />}
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}

function describe({ unit }: Places, series: UsageDimension | undefined): string {
  if (series === undefined)
    return `In all, by ${unit}: tags overlap, so they are not stacked. Keys of tags, such as team, are.`
  return `By ${unit} and ${dimensionWord(series)}`
}

/** Of a day long ago only the sums are known. */
function Nothing() {
  const { data: summary } = useQuery(viewQueries(route.useSearch()).summary)
  return summary !== undefined && summary.total_requests > 0 ? (
    <EmptyNote icon={IconChartBar} title="The hours of this day are no longer kept">
      The figures of the whole day are below.
    </EmptyNote>
  ) : (
    <EmptyNote icon={IconChartBar} title="No requests in this range">
      Choose a longer range, or take a filter away.
    </EmptyNote>
  )
}

/** So that nobody takes the bars for all there was. */
function Undrawn({ value, measure }: { value: bigint; measure: Measure }) {
  const { label, unit } = measureFacts[measure]
  return (
    <Text size="sm" c="dimmed" mt="sm">
      {label} of {unit.format(value)} is in groups too small, and too many, to be drawn by day. The table
      below has it.
    </Text>
  )
}

function usePlaces({ days = defaultDays, from, to }: UsageFilters): Places {
  const [today = ''] = lastDays(1, Date.now())
  return useMemo(() => {
    const isFree = from !== undefined && to !== undefined
    return placesOf(isFree ? daysBetween(from, to) : lastDays(days, Date.parse(today)))
  }, [days, from, to, today])
}

interface ChartProps {
  groups: Breakdown['data']
  /** What bars are made of; undefined: each is one. */
  series: UsageDimension | undefined
  places: Places
  /** Drawn across the bars. */
  budget: Budget | undefined
}

function Chart({ groups, series, places, budget }: ChartProps) {
  const measure = measureOf(route.useSearch())
  const nameOf = useGroupNames(series)
  const { valueOf, unit, label } = measureFacts[measure]
  const stack = useMemo(() => {
    const cells = groups.map((group) => {
      const [at, name] = pairOf(group)
      return {
        at: places.placeOf(at ?? ''),
        name: series === undefined ? 'in all' : name,
        value: valueOf(group),
      }
    })
    return stackOf(cells, places.ats, series === undefined ? '' : namelessOf(series))
  }, [groups, series, places, valueOf])
  const named = {
    ...stack,
    series: stack.series.map((one) => ({
      ...one,
      name: series === undefined ? one.name : nameOf(series, one.name),
    })),
  }
  const within = series === undefined ? '' : ` and ${dimensionWord(series)}`
  return (
    <>
      <DayChart
        stack={named}
        height={chartHeight}
        limit={budget && Number(parseUsd(budget.limit_usd))}
        label={`${label} by ${places.unit}${within}; the table below has the figures`}
        nameOf={places.name}
        tooltip={(row) => (
          <StackTooltip title={places.title(row.at)} row={row} stack={named} format={unit.format} />
        )}
        {...unit}
      />
      {budget !== undefined && (
        <Text size="sm" c="dimmed" mt="xs">
          Dashed: the budget{' '}
          <PageLink to="/budgets/$budgetId" params={{ budgetId: budget.id }} underline="always">
            {budget.name}
          </PageLink>
          , {exactUsd(budget.limit_usd)} a day.
        </Text>
      )}
    </>
  )
}
