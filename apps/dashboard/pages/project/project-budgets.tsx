import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { budgetsQuery } from '../../api/budget-queries.ts'
import type { Schemas } from '../../api/client.ts'
import { useMay } from '../../api/permissions.ts'
import { BudgetBar } from '../../budgets/budget-bar.tsx'
import { EmptyNote } from '../../components/empty-note.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageButton, PageLink } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { relativeTo } from '../../format/time.ts'
import { IconGauge } from '../../icons/icons.ts'

/** The budgets of the project, and what is spent of them in the current periods. */
export function ProjectBudgets({
  project: { id, archived_at: archivedAt },
}: {
  project: Schemas['Project']
}) {
  const query = useQuery(budgetsQuery)
  const may = useMay()
  return (
    <Panel
      title="Budgets"
      description="Budgets of this project. Budgets of its members, tags and models may apply too"
      actions={
        archivedAt === null &&
        may('budgets:write') && (
          <PageButton
            to="/budgets"
            search={{ action: 'new', scope: 'project', subject: id }}
            variant="default"
            size="xs"
          >
            New budget
          </PageButton>
        )
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={60} />}>
        {({ data }) => {
          const own = data.filter(({ scope, subject }) => scope === 'project' && subject === id)
          if (own.length === 0)
            return (
              <EmptyNote icon={IconGauge} title="No budgets for this project">
                A budget refuses requests over its limit, or notifies you.
              </EmptyNote>
            )
          return (
            <Stack gap="lg">
              {own.map((budget) => (
                <div key={budget.id}>
                  <Group justify="space-between" gap="xs" mb={4}>
                    <PageLink
                      to="/budgets/$budgetId"
                      params={{ budgetId: budget.id }}
                      fw={600}
                      style={{ overflowWrap: 'anywhere' }}
                    >
                      {budget.name}
                    </PageLink>
                    <Text size="xs" c="dimmed">
                      {budget.hard ? 'refuses over the limit' : 'notifies only'}
                      {budget.resets_at !== null && `, resets ${relativeTo(budget.resets_at, Date.now())}`}
                    </Text>
                  </Group>
                  <BudgetBar budget={budget} isNamed />
                </div>
              ))}
            </Stack>
          )
        }}
      </Loaded>
    </Panel>
  )
}
