import { Alert, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ApiFailure } from '../../../api/api-failure.ts'
import { budgetsQuery } from '../../../api/budget-queries.ts'
import { periodNames, useSubjectName, type BudgetPeriod, type BudgetScope } from '../../../api/budgets.ts'
import { useMay } from '../../../api/permissions.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { Money } from '../../../components/money.tsx'
import { PageButton } from '../../../components/page-link.tsx'
import { relativeTo, timeOf } from '../../../format/time.ts'
import { IconAlertTriangle } from '../../../icons/icons.ts'

/** What a 402 says about the budget that does not cover the request. */
interface RefusingBudget {
  id: string
  name: string
  scope: BudgetScope
  subject: string | null
  period: BudgetPeriod
  limit_usd: string
  left_usd: string
  resets_at: number | null
}

/** Why a question was not answered; for errors about money with a button that leads to the remedy. */
export default function Refusal({ error }: { error: unknown }) {
  const { reason, budget, needed_usd: needed } = error instanceof ApiFailure ? error.metadata : {}
  const may = useMay()
  if (reason === 'budget' && typeof needed === 'string' && error instanceof ApiFailure)
    return <OfBudget budget={budget as RefusingBudget} needed={needed} requestId={error.requestId} />
  return (
    <Stack gap="sm" align="stretch">
      <FailureNote error={error} />
      {reason === 'credit' && may('billing:write') && (
        <Group>
          <PageButton to="/credit" size="xs" variant="default">
            Add credit
          </PageButton>
        </Group>
      )}
    </Stack>
  )
}

interface OfBudgetProps {
  budget: RefusingBudget
  needed: string
  requestId: string | null
}

function OfBudget({ budget, needed, requestId }: OfBudgetProps) {
  const subjectName = useSubjectName([budget])
  // In an organization, members see their own budgets.
  const { data: seen } = useQuery(budgetsQuery)
  const maySee = seen?.data.some((one) => one.id === budget.id) === true
  const { id, name, limit_usd: limit, left_usd: left, period, resets_at: resetsAt } = budget
  return (
    <Alert
      role="alert"
      color="var(--mantine-color-error)"
      variant="outline"
      bg="var(--mantine-color-body)"
      icon={<IconAlertTriangle size={18} />}
      title={`The budget “${name}” does not cover this`}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Money amount={left} exact /> of <Money amount={limit} exact /> {periodNames[period]} on{' '}
          {subjectName(budget)} left, but this request may cost up to <Money amount={needed} exact />.{' '}
          {resetsAt === null
            ? 'It does not reset.'
            : `It resets ${relativeTo(resetsAt, Date.now())}, at ${timeOf(resetsAt)}.`}
        </Text>
        <Text size="sm">Lower “Max tokens” or raise the budget. This attempt cost nothing.</Text>
        {requestId !== null && (
          <Text size="xs" c="dimmed" ff="monospace">
            {requestId}
          </Text>
        )}
        {maySee && (
          <PageButton to="/budgets/$budgetId" params={{ budgetId: id }} size="xs" variant="default" mt={4}>
            View budget
          </PageButton>
        )}
      </Stack>
    </Alert>
  )
}
