import { Stack, Text } from '@mantine/core'
import { IconChartBar } from '../../../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { readQuery } from '../../../api/read-query.ts'
import { mostGroups, pairOf } from '../../../api/usage-queries.ts'
import { DayChart, DayChartSkeleton } from '../../../charts/day-chart.tsx'
import { inUsd } from '../../../charts/unit.ts'
import { EmptyNote } from '../../../components/empty-note.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Money } from '../../../components/money.tsx'
import { Panel } from '../../../components/panel.tsx'
import { PageButton } from '../../../components/page-link.tsx'
import { RangeFilter } from '../../../filters/range-filter.tsx'
import { queryOf, type Range } from '../../../filters/usage-filters.ts'
import { exactUsd } from '../../../format/money.ts'
import {
  sumEarningsBy,
  earningsOf,
  marginOf,
  marginStack,
  percentText,
  sumOf,
  type Earned,
  type RevenueGroup,
  type RevenueSums,
} from './margin.ts'
import { MarginTooltip } from './margin-tooltip.tsx'
import { daysOf, rangeWords } from '../operator-days.ts'
import { furtherModels, modelless, RevenueTable } from './table.tsx'

const route = getRouteApi('/operator')
const chartHeight = 280

const revenueQuery = (range: Range) => {
  const query = { ...queryOf(range), by: ['day' as const, 'model' as const], limit: mostGroups }
  return readQuery(['operator', 'usage', 'by day and model', query], '/api/v1/admin/usage/breakdown', {
    query,
  })
}

/** All accounts' revenue, vendor cost and margin: by day and by model. */
export function Revenue() {
  const { days, from, to } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(revenueQuery({ days, from, to }))
  return (
    <Stack gap="sm">
      <RangeFilter
        range={{ days, from, to }}
        onChange={(range) => void navigate({ search: { show: 'revenue', ...range }, replace: true })}
      />
      <Loaded
        query={query}
        skeleton={
          <Panel title={title}>
            <DayChartSkeleton height={chartHeight} />
          </Panel>
        }
      >
        {({ data, others }) =>
          data.length === 0 ? (
            <Panel title={title}>
              <EmptyNote icon={IconChartBar} title="Nothing was charged" />
            </Panel>
          ) : (
            <Margins groups={data} others={others} />
          )
        }
      </Loaded>
    </Stack>
  )
}

const title = 'Revenue against vendor cost'

function Margins({ groups, others }: { groups: RevenueGroup[]; others: RevenueSums | null }) {
  const { model, days, from, to } = route.useSearch()
  const range = { days, from, to }
  const { byModel, total, byDay } = useMemo(() => {
    const modelOf = (group: RevenueGroup): string => pairOf(group)[1] ?? modelless
    const shown = model === undefined ? groups : groups.filter((group) => modelOf(group) === model)
    const byModel = sumEarningsBy(groups, modelOf)
    if (others !== null) byModel.set(furtherModels, earningsOf(others))
    return {
      byModel,
      total: sumOf(byModel.values()),
      byDay: sumEarningsBy(shown, (group) => pairOf(group)[0] ?? ''),
    }
  }, [groups, others, model])
  return (
    <Stack gap="lg">
      <Panel
        title={title}
        description={`${model ?? 'All models'}, by day, ${rangeWords(range)}; revenue with the markup`}
        actions={model !== undefined && <AllModels range={range} />}
      >
        <Chart byDay={byDay} range={range} />
        <Unknown earned={sumOf(byDay.values())} />
      </Panel>
      <Panel p={0}>
        <RevenueTable byModel={byModel} total={total} chosen={model} />
        {others !== null && (
          <Text size="sm" c="dimmed" p="md">
            There are too many days and models to list. The smallest are combined in one row and left out of
            the chart.
          </Text>
        )}
      </Panel>
      <Text size="sm" c="dimmed" maw={720}>
        Vendor cost is calculated from the price list, without your markup. It does not include discounts,
        taxes, or what vendors bill for failed attempts or web searches.
      </Text>
    </Stack>
  )
}

function AllModels({ range }: { range: Range }) {
  return (
    <PageButton
      to="/operator"
      search={{ show: 'revenue', ...range }}
      replace
      resetScroll={false}
      size="xs"
      variant="default"
    >
      All models
    </PageButton>
  )
}

interface ChartProps {
  byDay: ReadonlyMap<string, Earned>
  range: Range
}

function Chart({ byDay, range: { days, from, to } }: ChartProps) {
  const stack = useMemo(() => marginStack(byDay, daysOf({ days, from, to })), [byDay, days, from, to])
  const total = sumOf(byDay.values())
  const margin = marginOf(total)
  const left =
    margin === undefined
      ? 'the vendor cost is unknown'
      : `${exactUsd(total.vendorCost)} vendor cost, ${exactUsd(margin.amount)} margin ` +
        `(${percentText(margin)})`
  return (
    <DayChart
      stack={stack}
      height={chartHeight}
      label={`Revenue by day: ${exactUsd(total.revenue)} in total; ${left}`}
      {...inUsd}
      tooltip={({ at }) => <MarginTooltip day={at} earned={byDay.get(at) ?? sumOf([])} />}
    />
  )
}

/** Revenue of unknown cost: named in words, and not part of any margin. */
function Unknown({ earned: { revenue, costed } }: { earned: Earned }) {
  const unknown = revenue - costed
  if (unknown === 0n) return null
  return (
    <Text size="sm" c="dimmed" mt="sm">
      The vendor cost of <Money amount={unknown} /> of the revenue is unknown, because those requests are from
      before it was recorded. The margin excludes them.
    </Text>
  )
}
