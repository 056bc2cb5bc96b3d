import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useSubjectName } from '../../api/budgets.ts'
import { budgetsQuery, type Budget } from '../../api/budget-queries.ts'
import { useMay } from '../../api/permissions.ts'
import { EmptyNote } from '../../components/empty-note.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Panel } from '../../components/panel.tsx'
import { IconGauge, IconPlus } from '../../icons/icons.ts'
import { BudgetDialog } from './budget-dialog.tsx'
import type { BudgetView } from './budget-search.ts'
import { BudgetTable } from './budget-table.tsx'
import { DeleteBudgetForm } from './delete-budget-form.tsx'

const route = getRouteApi('/budgets')

/** All budgets and what is spent of them. */
export function BudgetsPage() {
  const navigate = route.useNavigate()
  const query = useQuery(budgetsQuery)
  const may = useMay()
  const open = (search: BudgetView) => void navigate({ search, resetScroll: false })
  const mayChange = may('budgets:write')
  return (
    <>
      <PageHeader
        title="Budgets"
        description={
          'A spending limit per day, week, month or in total. If several budgets apply to a request, the ' +
          'tightest one decides. Days, weeks and months are in UTC.'
        }
      >
        {mayChange && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => open({ action: 'new' })}>
            New budget
          </Button>
        )}
      </PageHeader>
      <Panel p={0}>
        <Loaded query={query} skeleton={<Skeleton height={260} />}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyNote icon={IconGauge} title="No budgets yet">
                Limit what a team, a project, a model or the whole account spends, or get notified in time.
              </EmptyNote>
            ) : (
              <Budgets budgets={data} onOpen={mayChange ? open : undefined} />
            )
          }
        </Loaded>
      </Panel>
      <Dialogs budgets={query.data?.data ?? []} onClose={() => open({})} />
    </>
  )
}

interface BudgetsProps {
  budgets: Budget[]
  onOpen: ((view: BudgetView) => void) | undefined
}

function Budgets({ budgets, onOpen }: BudgetsProps) {
  return <BudgetTable budgets={budgets} subjectName={useSubjectName(budgets)} onOpen={onOpen} />
}

interface DialogsProps {
  budgets: readonly Budget[]
  onClose: () => void
}

function Dialogs({ budgets, onClose }: DialogsProps) {
  const { action, budget: budgetId, scope, subject = '' } = route.useSearch()
  const found = budgets.find(({ id }) => id === budgetId)
  const subjectName = useSubjectName(found === undefined ? [] : [found])
  return (
    <>
      <BudgetDialog
        title="New budget"
        isOpen={action === 'new'}
        initial={scope && { scope, subject }}
        subjectName={subjectName}
        onClose={onClose}
      />
      {found !== undefined && (
        <BudgetDialog
          title="Edit budget"
          isOpen={action === 'change'}
          changed={found}
          subjectName={subjectName}
          onClose={onClose}
        />
      )}
      <FormDialog opened={action === 'delete' && found !== undefined} onClose={onClose} title="Delete budget">
        {action === 'delete' && found !== undefined && <DeleteBudgetForm deleted={found} onDone={onClose} />}
      </FormDialog>
    </>
  )
}
