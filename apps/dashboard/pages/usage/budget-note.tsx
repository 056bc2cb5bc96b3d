import { Text } from '@mantine/core'
import type { Budget } from '../../api/budget-queries.ts'
import { periodNames } from '../../api/budgets.ts'
import { rangeOf } from '../../budgets/drawn-budgets.ts'
import { visibleLimit } from '../../charts/limit.ts'
import type { Stack } from '../../charts/stack.ts'
import { PageLink } from '../../components/page-link.tsx'
import { exactUsd, parseUsd } from '../../format/money.ts'
import { lastDays } from '../../format/time.ts'
import type { UsageView } from './usage-search.ts'

interface BudgetNoteProps {
  budgets: readonly Budget[]
  /** The budget whose limit fits the bars. */
  drawn: Budget | undefined
  stack: Stack
  view: UsageView
}

/** Names the budget that applies to the requests on screen, and links to a view that fits it. */
export default function BudgetNote({ budgets, drawn, stack, view }: BudgetNoteProps) {
  const shown = drawn ?? longestOf(budgets)
  if (shown === undefined) return null
  const limit = Number(parseUsd(shown.limit_usd))
  const isBeyond = drawn !== undefined && visibleLimit(stack, limit) === undefined
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {drawn === undefined
        ? 'The budget '
        : isBeyond
          ? 'Above this chart: the budget '
          : 'Dashed: the budget '}
      <PageLink to="/budgets/$budgetId" params={{ budgetId: shown.id }} underline="always">
        {shown.name}
      </PageLink>
      , {exactUsd(shown.limit_usd)} {periodNames[shown.period]}
      {drawn === undefined && (
        <>
          {' '}
          applies here: <AgainstIt budget={shown} view={view} />
        </>
      )}
      .
    </Text>
  )
}

const periods = ['month', 'week', 'day'] as const

/** The budget with the longest period; a running sum starts with its period. */
function longestOf(budgets: readonly Budget[]): Budget | undefined {
  const [period] = periods.filter((one) => budgets.some((budget) => budget.period === one))
  return budgets.find((budget) => budget.period === period)
}

const thisPeriod = { day: 'today', week: 'this week', month: 'this month', total: '' }

/** Links to the current period as a running sum, below the budget's limit. */
function AgainstIt({ budget, view }: { budget: Budget; view: UsageView }) {
  const [today = ''] = lastDays(1, Date.now())
  const { days: _days, measure: _measure, ...others } = view
  return (
    <PageLink
      to="/usage"
      search={{ ...others, ...rangeOf(budget, today), sum: 'running' as const }}
      resetScroll={false}
      underline="always"
    >
      view spending {thisPeriod[budget.period]}
    </PageLink>
  )
}
