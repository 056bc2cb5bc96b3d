import { Skeleton } from '@mantine/core'
import { IconChartBar } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, bodyOf } from '../../api/client.ts'
import { pairOf, type UsageGroup } from '../../api/usage-queries.ts'
import { axisPico } from '../../charts/axis.ts'
import { DayChart } from '../../charts/day-chart.tsx'
import { stackOf } from '../../charts/stack.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Panel } from '../../components/panel.tsx'
import { exactUsd, parseUsd, shortUsd } from '../../format/money.ts'
import { lastDays } from '../../format/time.ts'
import { operatorDays } from './operator-days.ts'

const chartHeight = 280

const revenueQuery = queryOptions({
  queryKey: ['operator', 'usage', 'by day and model'],
  queryFn: ({ signal }) =>
    bodyOf(
      api.GET('/api/v1/admin/usage/breakdown', {
        params: { query: { days: operatorDays, by: ['day', 'model'] } },
        signal,
      }),
    ),
})

/** What all accounts were charged, by day and model. */
export function Revenue() {
  const query = useQuery(revenueQuery)
  return (
    <Panel
      title="Charged by day"
      description={`All accounts, by model, over the last ${operatorDays} days; markup included`}
    >
      <Loaded query={query} skeleton={<Skeleton height={chartHeight + 38} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyNote icon={IconChartBar} title="Nothing was charged" />
          ) : (
            <Chart groups={data} />
          )
        }
      </Loaded>
    </Panel>
  )
}

function Chart({ groups }: { groups: UsageGroup[] }) {
  const stack = useMemo(() => {
    const cells = groups.map((group) => {
      const [day, model] = pairOf(group)
      return { at: day ?? '', name: model, value: parseUsd(group.total_cost_usd) }
    })
    return stackOf(cells, lastDays(operatorDays, Date.now()), 'none reached')
  }, [groups])
  const total = stack.rows.reduce((sum, row) => sum + row.total, 0n)
  return (
    <DayChart
      stack={stack}
      height={chartHeight}
      label={`Charges by day and model: ${exactUsd(total)} in all`}
      format={shortUsd}
      formatAxis={axisPico}
    />
  )
}
