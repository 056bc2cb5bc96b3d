import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { pairOf, type Breakdown } from '../../api/usage-queries.ts'
import { DayChart, DayChartSkeleton } from '../../charts/day-chart.tsx'
import { stackOf } from '../../charts/stack.ts'
import { inUsd } from '../../charts/unit.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Panel } from '../../components/panel.tsx'
import { PageButton } from '../../components/page-link.tsx'
import { exactUsd, parseUsd } from '../../format/money.ts'
import { lastDays } from '../../format/time.ts'
import { homeDays } from './home-days.ts'
import { homeQueries } from './home-queries.ts'

const chartHeight = 260

export function SpendByDay() {
  const query = useQuery(homeQueries.byDay)
  return (
    <Panel
      title="Spend by day"
      description={`By model, over the last ${homeDays} days`}
      actions={
        <PageButton to="/usage" search={{ days: homeDays }} variant="default" size="xs">
          View usage
        </PageButton>
      }
    >
      <Loaded query={query} skeleton={<DayChartSkeleton height={chartHeight} />}>
        {({ data }) => <Chart groups={data} />}
      </Loaded>
    </Panel>
  )
}

function Chart({ groups }: { groups: Breakdown['data'] }) {
  const stack = useMemo(() => {
    const cells = groups.map((group) => {
      const [day, model] = pairOf(group)
      return { at: day ?? '', name: model, value: parseUsd(group.total_cost_usd) }
    })
    return stackOf(cells, lastDays(homeDays, Date.now()), 'none')
  }, [groups])
  const total = stack.rows.reduce((sum, row) => sum + row.total, 0n)
  return (
    <DayChart
      stack={stack}
      height={chartHeight}
      label={`Spend by day and model over ${homeDays} days: ${exactUsd(total)} in total`}
      {...inUsd}
    />
  )
}
