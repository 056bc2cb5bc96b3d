import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { periodNames, useSubjectName } from '../../api/budgets.ts'
import { budgetReportQuery, type Budget } from '../../api/budget-queries.ts'
import { useMay } from '../../api/permissions.ts'
import type { Schemas } from '../../api/client.ts'
import { formatUsedPercent } from '../../budgets/budget-bar.tsx'
import { BackLink } from '../../components/back-link.tsx'
import { Figure } from '../../components/figure.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Money } from '../../components/money.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageButton } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { exactUsd, parseUsd, shareOf } from '../../format/money.ts'
import { relativeTo, timeOf } from '../../format/time.ts'
import { BurnDownChart, SpendByDay } from './budget-charts.tsx'
import { exhaustionTime } from './burn-down.ts'

const route = getRouteApi('/budgets/$budgetId')

/** What is left of a budget, how it developed, and where it goes. */
export function BudgetPage(): ReactNode {
  const { budgetId } = route.useParams()
  const query = useQuery(budgetReportQuery(budgetId))
  return (
    <>
      {query.data === undefined && query.error !== null && <PageHeader title="Budget" />}
      <Loaded query={query} skeleton={<PageSkeleton />}>
        {(report) => <Report report={report} />}
      </Loaded>
    </>
  )
}

function Report({ report }: { report: Schemas['BudgetReport'] }) {
  const { budget } = report
  const subjectName = useSubjectName([budget])
  const may = useMay()
  const hasBurnDown = budget.period === 'week' || budget.period === 'month'
  return (
    <>
      <BackLink to="/budgets">Budgets</BackLink>
      <PageHeader
        title={budget.name}
        description={
          <>
            <Money amount={budget.limit_usd} /> {periodNames[budget.period]} on {subjectName(budget)}.{' '}
            {budget.hard
              ? 'Requests over the limit are refused.'
              : 'Requests over the limit are still served.'}
          </>
        }
      >
        {may('budgets:write') && (
          <PageButton to="/budgets" search={{ action: 'change', budget: budget.id }} variant="default">
            Change
          </PageButton>
        )}
      </PageHeader>
      <Stack gap="lg">
        <BudgetFigures report={report} />
        {hasBurnDown && (
          <Panel
            title="Remaining"
            description={
              `Remaining this ${budget.period}, by day. The dashed line is a forecast ` +
              `from the last seven days`
            }
          >
            <BurnDownChart report={report} />
          </Panel>
        )}
        <Panel
          title="Spend by day"
          description={
            budget.period === 'day' ? 'The last 30 days, with the daily limit' : 'The last 30 days'
          }
          actions={<UsageLink budget={budget} />}
        >
          <SpendByDay budget={budget} />
        </Panel>
        <Text size="xs" c="dimmed">
          Counted by the budget since {timeOf(report.from)}: {exactUsd(report.cost_usd)}; according to the
          ledger: {exactUsd(report.ledger_usage_usd)}.
        </Text>
      </Stack>
    </>
  )
}

/** Links to the same requests on the usage page. */
function UsageLink({ budget: { scope, subject } }: { budget: Budget }) {
  const named = subject ?? undefined
  const filter =
    scope === 'organization' || named === undefined
      ? {}
      : scope === 'tag'
        ? { tag: [named] }
        : { [scope]: named }
  return (
    <PageButton to="/usage" search={filter} variant="default" size="xs">
      View usage
    </PageButton>
  )
}

const spentWords: Record<Budget['period'], string> = {
  day: 'Spent today',
  week: 'Spent this week',
  month: 'Spent this month',
  total: 'Spent',
}

function BudgetFigures({ report }: { report: Schemas['BudgetReport'] }) {
  const { budget, forecast_usd: forecast } = report
  const limit = parseUsd(budget.limit_usd)
  const spent = parseUsd(budget.spent_usd)
  const used = shareOf(spent, limit)
  const reserved = parseUsd(budget.reserved_usd)
  const isOver = forecast !== null && parseUsd(forecast) > limit
  const usedUp = exhaustionTime(report, Date.now())
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'sm', md: 'lg' }}>
      <Figure
        label={spentWords[budget.period]}
        value={<Money amount={spent} />}
        note={used === undefined ? 'of nothing' : `${formatUsedPercent(used)} of the limit`}
      />
      <Figure
        label="Left"
        value={<Money amount={budget.left_usd} />}
        note={<LeftNote beyond={spent - limit} reserved={reserved} />}
      />
      <Figure
        label="Resets"
        value={budget.resets_at === null ? 'never' : relativeTo(budget.resets_at, Date.now())}
        note={budget.resets_at === null ? 'it applies to all time' : timeOf(budget.resets_at)}
        noteLines={2}
      />
      <Figure
        label="Forecast"
        value={forecast === null ? '–' : <Money amount={forecast} />}
        note={
          forecast === null ? (
            'not available without a period'
          ) : (
            <Text span inherit c={isOver ? 'var(--mantine-color-error)' : 'dimmed'}>
              {isOver ? 'over the limit' : 'within the limit'}
              {usedUp !== undefined && (
                <span title={timeOf(usedUp)}>: used up {relativeTo(usedUp, Date.now())}</span>
              )}
            </Text>
          )
        }
        noteLines={2}
      />
    </SimpleGrid>
  )
}

interface LeftNoteProps {
  /** The amount spent above the limit, in pico-USD. `reserved` is in pico-USD, too. */
  beyond: bigint
  reserved: bigint
}

function LeftNote({ beyond, reserved }: LeftNoteProps) {
  if (beyond > 0n)
    return (
      <Text span inherit c="var(--mantine-color-error)">
        exceeded by <Money amount={beyond} />
      </Text>
    )
  if (reserved === 0n) return null
  return (
    <>
      <Money amount={reserved} /> of it held for requests
    </>
  )
}

function PageSkeleton() {
  return (
    <Stack gap="lg">
      <Skeleton height={70} maw={400} />
      <Skeleton height={126} radius="lg" />
      <Skeleton height={360} radius="lg" />
    </Stack>
  )
}
