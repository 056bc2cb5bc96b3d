import { Badge, Menu, Text } from '@mantine/core'
import { RowMenu } from '../../components/tables/row-menu.tsx'
import { periodNames } from '../../api/budgets.ts'
import type { Budget } from '../../api/budget-queries.ts'
import { BudgetBar } from '../../budgets/budget-bar.tsx'
import { usedPercent } from '../../budgets/used.ts'
import { DataTable, type Column } from '../../components/tables/data-table.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { Money } from '../../components/money.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { AgoText } from '../../components/tables/time-text.tsx'
import { parseUsd } from '../../format/money.ts'
import { IconAdjustments, IconTrash } from '../../icons/icons.ts'
import type { BudgetView } from './budget-search.ts'

interface BudgetTableProps {
  budgets: Budget[]
  subjectName: (budget: Budget) => string
  /** Absent: the budgets cannot be changed. */
  onOpen: ((view: BudgetView) => void) | undefined
  /** Another account's, as an operator sees them: these have no pages. */
  isOthers?: boolean
}

export function BudgetTable({ budgets, subjectName, onOpen, isOthers = false }: BudgetTableProps) {
  return (
    <DataTable
      label="Budgets"
      minWidth={720}
      columns={columnsOf(subjectName, onOpen, isOthers)}
      rows={budgets}
      keyOf={({ id }) => id}
    />
  )
}

function columnsOf(
  subjectName: (budget: Budget) => string,
  onOpen: BudgetTableProps['onOpen'],
  isOthers: boolean,
): Column<Budget>[] {
  return [
    nameColumn(subjectName, isOthers),
    ...figureColumns,
    {
      head: 'Actions',
      width: 56,
      place: 'action',
      cell: (budget) => onOpen !== undefined && <BudgetMenu budget={budget} onOpen={onOpen} />,
    },
  ]
}

const nameColumn = (subjectName: (budget: Budget) => string, isOthers: boolean): Column<Budget> => ({
  head: 'Budget',
  place: 'name',
  orderBy: ({ name }) => name,
  cell: (budget) => (
    <div style={{ minWidth: 0, ...(isOthers && { maxWidth: 280 }) }}>
      {isOthers ? (
        <Text size="sm" fw={600} component="div" title={budget.id}>
          <ForeignText text={budget.name} />
        </Text>
      ) : (
        <PageLink
          to="/budgets/$budgetId"
          params={{ budgetId: budget.id }}
          fw={600}
          style={{ overflowWrap: 'anywhere' }}
        >
          {budget.name}
        </PageLink>
      )}
      <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
        {isOthers ? <ForeignText text={subjectName(budget)} /> : subjectName(budget)}
      </Text>
    </div>
  ),
})

const figureColumns: Column<Budget>[] = [
  {
    head: 'Limit',
    align: 'right',
    place: 'figure',
    weight: 600,
    orderBy: ({ limit_usd: limit }) => parseUsd(limit),
    cell: ({ limit_usd: limit, period }) => (
      <div>
        <Money amount={limit} />
        <Text size="xs" c="dimmed" fw={400}>
          {periodNames[period]}
        </Text>
      </div>
    ),
  },
  {
    head: 'Spent',
    width: 220,
    orderBy: (budget) => BigInt(Math.round(usedPercent(budget) * 10)),
    cell: (budget) => <BudgetBar budget={budget} />,
  },
  {
    head: 'Over the limit',
    cell: ({ hard }) => (
      <Badge variant="light" color={hard ? 'pine' : 'gray'} tt="none" fw={500} radius="sm">
        {hard ? 'refused' : 'notify only'}
      </Badge>
    ),
  },
  { head: 'Resets', cell: ({ resets_at: at }) => <AgoText at={at} /> },
]

interface BudgetMenuProps {
  budget: Budget
  onOpen: (view: BudgetView) => void
}

function BudgetMenu({ budget: { id, name }, onOpen }: BudgetMenuProps) {
  return (
    <RowMenu of={name} width={180}>
      <Menu.Item
        leftSection={<IconAdjustments size={16} />}
        onClick={() => onOpen({ action: 'change', budget: id })}
      >
        Change
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        color="red"
        leftSection={<IconTrash size={16} />}
        onClick={() => onOpen({ action: 'delete', budget: id })}
      >
        Delete
      </Menu.Item>
    </RowMenu>
  )
}
