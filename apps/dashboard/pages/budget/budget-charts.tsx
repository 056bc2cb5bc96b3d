import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { budgetReportQuery, type Budget } from '../../api/budget-queries.ts'
import type { Schemas } from '../../api/client.ts'
import { DayChart, DayChartSkeleton } from '../../charts/day-chart.tsx'
import { LineChart } from '../../charts/lines.tsx'
import { stackOf } from '../../charts/stack.ts'
import { inUsd } from '../../charts/unit.ts'
import { Loaded } from '../../components/loaded.tsx'
import { exactUsd, parseUsd, shortUsd } from '../../format/money.ts'
import { lastDays, longDayOf } from '../../format/time.ts'
import { burnDownOf, wordsOf } from './burn-down.ts'

const chartHeight = 260
const shownDays = 30

/** What is left on each day, with the forecast. */
export function BurnDownChart({ report }: { report: Schemas['BudgetReport'] }) {
  const { days, left, expected } = burnDownOf(report, Date.now())
  const { budget, forecast_usd: forecast } = report
  const end = expected.at(-1) ?? null
  return (
    <LineChart
      ats={days}
      height={chartHeight}
      label={`Remaining of ${exactUsd(budget.limit_usd)} by day: ${exactUsd(budget.left_usd)} now`}
      title={longDayOf}
      reach={Number(parseUsd(budget.limit_usd))}
      format={inUsd.formatAxis}
      lines={[
        {
          name: 'Left',
          color: 'var(--chart-1)',
          values: left.map(numberOf),
          total: null,
          words: { at: wordsOf(left), total: shortUsd(budget.left_usd) },
        },
        ...(forecast === null
          ? []
          : [
              {
                name: 'Forecast',
                color: 'var(--chart-2)',
                values: expected.map(numberOf),
                total: null,
                isDashed: true,
                words: { at: wordsOf(expected), total: end === null ? 'none' : shortUsd(end) },
              },
            ]),
      ]}
    />
  )
}

/** For drawing only: the figures on screen come from the exact amount. */
function numberOf(pico: bigint | null): number | null {
  return pico === null ? null : Number(pico)
}

/** Spend of the last days, whatever the period; a daily budget is drawn with its limit. */
export function SpendByDay({ budget }: { budget: Budget }) {
  const [first = ''] = lastDays(shownDays, Date.now())
  const query = useQuery(budgetReportQuery(budget.id, Date.parse(first) / 1000))
  return (
    <Loaded query={query} skeleton={<DayChartSkeleton height={chartHeight} />}>
      {({ days }) => <Bars days={days} budget={budget} />}
    </Loaded>
  )
}

interface BarsProps {
  days: Schemas['BudgetReport']['days']
  budget: Budget
}

function Bars({ days, budget }: BarsProps) {
  const stack = useMemo(() => {
    const cells = days.map(({ day, cost_usd: cost }) => ({ at: day, name: 'Spend', value: parseUsd(cost) }))
    return stackOf(cells, lastDays(shownDays, Date.now()), '')
  }, [days])
  const total = stack.rows.reduce((sum, row) => sum + row.total, 0n)
  return (
    <DayChart
      stack={stack}
      height={chartHeight}
      limit={budget.period === 'day' ? Number(parseUsd(budget.limit_usd)) : undefined}
      label={`Spend by day over ${shownDays} days: ${exactUsd(total)} in total`}
      {...inUsd}
    />
  )
}
