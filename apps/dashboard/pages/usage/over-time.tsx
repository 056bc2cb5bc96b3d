import { SegmentedControl, Skeleton } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { breakdownQuery, pairOf, type Breakdown } from '../../api/usage-queries.ts'
import { DayChart } from '../../charts/day-chart.tsx'
import { stackOf } from '../../charts/stack.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Panel } from '../../components/panel.tsx'
import { defaultDays, queryOf, type UsageFilters } from '../../filters/usage-filters.ts'
import { daysBetween, lastDays } from '../../format/time.ts'
import { dimensionNames, nameless, useGroupNames } from './group-names.ts'
import { measureFacts } from './measures.ts'
import { defaultBy, defaultMeasure, measures, type UsageDimension } from './usage-search.ts'

const route = getRouteApi('/usage')
const chartHeight = 280
const tagRule = 'By tag: a request counts toward each of its own'

/** The breakdown's dimension over time; days themselves by model. */
export function OverTime() {
  const { by = defaultBy, against: _against, measure = defaultMeasure, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  const dimension = by === 'day' ? 'model' : by
  const query = useQuery(breakdownQuery({ ...queryOf(filters), by: ['day', dimension] }))
  return (
    <Panel
      title={`${measureFacts[measure].label} over time`}
      description={dimension === 'tag' ? tagRule : `By ${dimensionNames[dimension].toLowerCase()}`}
      actions={
        <SegmentedControl
          size="xs"
          aria-label="What is measured"
          value={measure}
          data={measures.map((value) => ({ value, label: measureFacts[value].label }))}
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
      <Loaded query={query} skeleton={<Skeleton height={chartHeight + 38} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyNote icon={IconChartBar} title="No requests in this range">
              Choose a longer range, or take a filter away.
            </EmptyNote>
          ) : (
            <Chart groups={data} dimension={dimension} filters={filters} />
          )
        }
      </Loaded>
    </Panel>
  )
}

interface ChartProps {
  groups: Breakdown['data']
  dimension: UsageDimension
  filters: UsageFilters
}

function Chart({ groups, dimension, filters: { days = defaultDays, from, to } }: ChartProps) {
  const { measure = defaultMeasure } = route.useSearch()
  const nameOf = useGroupNames()
  const { valueOf, format, formatAxis, label } = measureFacts[measure]
  const stack = useMemo(() => {
    const ats = from !== undefined && to !== undefined ? daysBetween(from, to) : lastDays(days, Date.now())
    const cells = groups.map((group) => {
      const [day, name] = pairOf(group)
      return { at: day ?? '', name, value: valueOf(group) }
    })
    return stackOf(cells, ats, nameless[dimension])
  }, [groups, dimension, days, from, to, valueOf])
  const named = {
    ...stack,
    series: stack.series.map((one) => ({
      ...one,
      name: dimension === 'key' ? nameOf('key', one.name) : one.name,
    })),
  }
  return (
    <DayChart
      stack={named}
      height={chartHeight}
      label={`${label} by day and ${dimension}; the table below has the figures`}
      format={format}
      formatAxis={formatAxis}
    />
  )
}
