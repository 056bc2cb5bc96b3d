import { Group, Progress, Text } from '@mantine/core'
import type { Budget } from '../api/budget-queries.ts'
import { periodNames } from '../api/budgets.ts'
import { Money } from '../components/money.tsx'
import { PageLink } from '../components/page-link.tsx'
import { usedPercent } from './used.ts'

/** From this percentage on, the bar warns. */
const nearlyUsed = 80
const mostPercent = 999

/** The percentage in words, capped far above the limit. */
export function formatUsedPercent(used: number): string {
  return used > mostPercent ? `> ${mostPercent} %` : `${Math.floor(used)} %`
}

export interface BudgetBarProps {
  budget: Budget
  /** Nothing around the bar names the budget, so it shows the limit and period, linked to its page. */
  isNamed?: boolean
}

/** How much of a budget is spent, as a figure and a bar. */
export function BudgetBar({ budget, isNamed = false }: BudgetBarProps) {
  const used = usedPercent(budget)
  const color = used >= 100 ? 'red' : used >= nearlyUsed ? 'orange' : 'var(--chart-1)'
  return (
    <div style={{ minWidth: 140 }}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        {isNamed ? <NamedSpend budget={budget} /> : <Money amount={budget.spent_usd} />}
        <Text
          size="xs"
          c={used >= 100 ? 'var(--mantine-color-error)' : 'dimmed'}
          className="figures one-line"
        >
          {formatUsedPercent(used)}
        </Text>
      </Group>
      <Progress size={5} mt={4} color={color} value={Math.min(100, used)} aria-hidden />
    </div>
  )
}

function NamedSpend({ budget: { id, name, spent_usd: spent, limit_usd: limit, period } }: BudgetBarProps) {
  return (
    <PageLink to="/budgets/$budgetId" params={{ budgetId: id }} title={`Budget ${name}`} className="one-line">
      <Money amount={spent} /> of <Money amount={limit} /> {periodNames[period]}
    </PageLink>
  )
}
