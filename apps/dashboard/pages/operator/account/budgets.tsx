import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Budget } from '../../../api/budget-queries.ts'
import {
  customerBudgetsQuery,
  customerKeysQuery,
  customerMembersQuery,
  customerProjectsQuery,
  type Customer,
} from '../../../api/customer-queries.ts'
import { memberName } from '../../../api/team.ts'
import { EmptyNote } from '../../../components/empty-note.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Panel } from '../../../components/panel.tsx'
import { IconGauge, IconPlus } from '../../../icons/icons.ts'
import { BudgetDialog } from '../../budgets/budget-dialog.tsx'
import { BudgetTable } from '../../budgets/budget-table.tsx'
import { DeleteBudgetForm } from '../../budgets/delete-budget-form.tsx'
import { customerQuery } from './queries.ts'
import type { AccountView } from './search.ts'

const route = getRouteApi('/operator/accounts/$accountId')

/** The budgets of the account, which an operator can change. */
export function AccountBudgets() {
  const { accountId } = route.useParams()
  const query = useQuery(customerBudgetsQuery(accountId))
  const { data: account } = useQuery(customerQuery(accountId))
  const budgets = query.data?.data ?? []
  const subjectName = useSubjectName(budgets, accountId)
  const navigate = route.useNavigate()
  const open = (next: Pick<AccountView, 'action' | 'row'>) =>
    void navigate({
      search: ({ action: _action, row: _row, ...before }) => ({ ...before, ...next }),
      replace: true,
      resetScroll: false,
    })
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" maw={560}>
          The account’s own budgets, which its owners can see and change too. Days, weeks and months are in
          UTC.
        </Text>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => open({ action: 'new-budget' })}
        >
          New budget
        </Button>
      </Group>
      <Panel p={0}>
        <Loaded query={query} skeleton={<Skeleton height={220} />}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyNote icon={IconGauge} title="No budgets" />
            ) : (
              <BudgetTable
                budgets={data}
                subjectName={subjectName}
                isOthers
                onOpen={({ action, budget }) =>
                  budget !== undefined &&
                  open({ action: action === 'delete' ? 'delete-budget' : 'change-budget', row: budget })
                }
              />
            )
          }
        </Loaded>
      </Panel>
      {account !== undefined && (
        <Dialogs customer={account} budgets={budgets} subjectName={subjectName} onClose={() => open({})} />
      )}
    </Stack>
  )
}

interface DialogsProps {
  customer: Customer
  budgets: readonly Budget[]
  subjectName: (budget: Budget) => string
  onClose: () => void
}

function Dialogs({ customer, budgets, subjectName, onClose }: DialogsProps) {
  const { action, row } = route.useSearch()
  const found = budgets.find(({ id }) => id === row)
  const form = { customer, subjectName, onClose }
  return (
    <>
      <BudgetDialog title="New budget" isOpen={action === 'new-budget'} {...form} />
      {found !== undefined && (
        <BudgetDialog title="Edit budget" isOpen={action === 'change-budget'} changed={found} {...form} />
      )}
      <FormDialog
        opened={action === 'delete-budget' && found !== undefined}
        onClose={onClose}
        title="Delete budget"
      >
        {action === 'delete-budget' && found !== undefined && (
          <DeleteBudgetForm deleted={found} customer={customer} onDone={onClose} />
        )}
      </FormDialog>
    </>
  )
}

/** What each budget applies to, in words. */
function useSubjectName(shown: readonly Budget[], accountId: string): (budget: Budget) => string {
  const has = (scope: Budget['scope']) => ({ enabled: shown.some((one) => one.scope === scope) })
  const { data: members } = useQuery({ ...customerMembersQuery(accountId), ...has('member') })
  const { data: projects } = useQuery({ ...customerProjectsQuery(accountId), ...has('project') })
  const { data: keys } = useQuery({ ...customerKeysQuery(accountId), ...has('key') })
  return ({ scope, subject }) => {
    if (subject === null) return 'the whole account'
    const ofId = <One extends { id: string }>(list: { data: One[] } | undefined): One | undefined =>
      list?.data.find(({ id }) => id === subject)
    const member = ofId(members)
    const name =
      scope === 'member'
        ? member && memberName(member)
        : scope === 'project'
          ? ofId(projects)?.name
          : scope === 'key'
            ? ofId(keys)?.name
            : undefined
    return `${scope} ${name ?? subject}`
  }
}
