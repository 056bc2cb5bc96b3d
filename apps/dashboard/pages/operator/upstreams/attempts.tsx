import { Group, Stack, Text } from '@mantine/core'
import { IconPlugConnected } from '../../../icons/icons.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { readQuery } from '../../../api/read-query.ts'
import { DayChart, DayChartSkeleton } from '../../../charts/day-chart.tsx'
import type { Stack as ChartStack } from '../../../charts/stack.ts'
import { StackTooltip } from '../../../charts/stack-tooltip.tsx'
import { inNumbers } from '../../../charts/unit.ts'
import { DataTable, type Column } from '../../../components/tables/data-table.tsx'
import { EmptyNote } from '../../../components/empty-note.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Panel } from '../../../components/panel.tsx'
import { RangeFilter } from '../../../filters/range-filter.tsx'
import { queryOf, type Range } from '../../../filters/usage-filters.ts'
import { wholeNumber } from '../../../format/number.ts'
import { hoursOf, longDayOf, longHourOf, timeOf } from '../../../format/time.ts'
import { daysOf, rangeWords } from '../operator-days.ts'
import { UpstreamResults } from './results.tsx'

type Attempts = Schemas['UpstreamAttempts']

const route = getRouteApi('/operator')
const chartHeight = 200
const refetchMs = 30_000

const attemptsQuery = (range: Range) => {
  const query = { ...queryOf(range), by: daysOf(range).length === 1 ? ('hour' as const) : ('day' as const) }
  return queryOptions({
    ...readQuery(['operator', 'attempts', query], '/api/v1/admin/upstreams/attempts', { query }),
    refetchInterval: refetchMs,
  })
}

/** How often each upstream failed in a range, even if another one answered in the end. */
export function UpstreamAttempts() {
  const { days, from, to } = route.useSearch()
  const range = { days, from, to }
  const navigate = route.useNavigate()
  const query = useQuery(attemptsQuery(range))
  return (
    <Stack gap="sm">
      <RangeFilter
        range={range}
        onChange={(changed) => void navigate({ search: { show: 'upstreams', ...changed }, replace: true })}
      />
      <Loaded
        query={query}
        skeleton={
          <Panel title="Attempts">
            <DayChartSkeleton height={chartHeight} />
          </Panel>
        }
      >
        {({ data, periods, counted_since: since }) =>
          data.length === 0 ? (
            <Panel>
              <EmptyNote icon={IconPlugConnected} title="No upstream was called in this range">
                Attempts are counted since {timeOf(since)}.
              </EmptyNote>
            </Panel>
          ) : (
            <>
              <Panel
                title="Attempts"
                description={`All upstreams, ${rangeWords(range)}, counted since ${timeOf(since)}`}
              >
                <Chart periods={periods} range={range} />
              </Panel>
              <Panel p={0}>
                <DataTable
                  label="Failures of the upstreams"
                  minWidth={760}
                  verticalSpacing="xs"
                  columns={columns}
                  rows={data}
                  keyOf={({ provider, model }) => `${provider} ${model}`}
                />
              </Panel>
            </>
          )
        }
      </Loaded>
    </Stack>
  )
}

interface ChartProps {
  periods: { period: string; attempts: number; failures: number }[]
  range: Range
}

function Chart({ periods, range: { days, from, to } }: ChartProps) {
  const stack = useMemo(() => {
    const shown = daysOf({ days, from, to })
    return stackOf(periods, shown.length === 1 ? hoursOf(shown[0]!) : shown)
  }, [periods, days, from, to])
  const isByHour = stack.rows[0]?.at.includes('T') === true
  const [failures, answered] = stack.series
  return (
    <DayChart
      stack={stack}
      height={chartHeight}
      label={`Attempts: ${failures!.total} failed, ${answered!.total} did not`}
      {...inNumbers}
      tooltip={(row) => (
        <StackTooltip
          title={isByHour ? longHourOf(row.at) : longDayOf(row.at)}
          row={row}
          stack={stack}
          {...inNumbers}
        />
      )}
    />
  )
}

function stackOf(periods: ChartProps['periods'], ats: readonly string[]): ChartStack {
  const byAt = new Map(periods.map((one) => [one.period, one]))
  const rows = ats.map((at) => {
    const { attempts = 0, failures = 0 } = byAt.get(at) ?? {}
    return { at, total: BigInt(attempts), values: [BigInt(failures), BigInt(attempts - failures)] }
  })
  const total = (index: number): bigint => rows.reduce((sum, { values }) => sum + values[index]!, 0n)
  return {
    rows,
    series: [
      { key: 'failed', name: 'Failed', color: 'var(--chart-6)', total: total(0) },
      { key: 'others', name: 'Answered, or refused the request', color: 'var(--chart-1)', total: total(1) },
    ],
  }
}

/** `0.3 %`; smaller rates are shown as below a tenth of a percent. */
function percent(rate: number | null): string {
  if (rate === null) return '–'
  return rate > 0 && rate < 0.001 ? '< 0.1 %' : `${(rate * 100).toFixed(1)} %`
}

const columns: Column<Attempts>[] = [
  {
    head: 'Upstream',
    place: 'name',
    orderBy: ({ provider, model }) => `${provider}/${model}`,
    cell: ({ provider, model }) => (
      <Text size="sm" fw={500}>
        {provider}/{model}
      </Text>
    ),
  },
  {
    head: 'Failure rate',
    align: 'right',
    weight: 600,
    place: 'figure',
    orderBy: ({ failure_rate: rate }) => BigInt(Math.round((rate ?? -1) * 1e9)),
    cell: ({ failure_rate: rate }) => percent(rate),
  },
  {
    head: 'Before',
    align: 'right',
    cell: ({ previous_failure_rate: rate }) => (
      <Text size="sm" c="dimmed">
        {percent(rate)}
      </Text>
    ),
  },
  {
    head: 'Failed / attempted',
    align: 'right',
    orderBy: ({ failures }) => BigInt(failures),
    cell: ({ failures, attempts }) => `${wholeNumber(failures)} of ${wholeNumber(attempts)}`,
  },
  {
    head: 'Skipped',
    align: 'right',
    cell: ({ not_asked: count }) => wholeNumber(count),
  },
  {
    head: 'Last errors',
    place: 'words',
    cell: ({ results }) => (
      <Group gap={4}>
        <UpstreamResults results={results} />
      </Group>
    ),
  },
]
