import { Group, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { BudgetScope } from '../../../api/budgets.ts'
import { isUnfiltered } from '../../../budgets/budgets-on.ts'
import { useRowBudgets } from '../../../budgets/row-budgets.ts'
import { lazyPart } from '../../../components/lazy-part.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Panel } from '../../../components/panel.tsx'
import { BreakdownTable } from './breakdown-table.tsx'
import { DimensionChoice } from '../dimension-choice.tsx'
import { useFound } from '../../../filters/use-found.ts'
import { TagRule } from '../tag-rule.tsx'
import { tagKeysOf } from '../tag-keys.ts'
import { defaultBy, measureOf, overlaps, tagKeyOf, type UsageDimension } from '../usage-search.ts'
import { viewQueries } from '../view-queries.ts'

const CrossTable = lazyPart(() => import('./cross-table.tsx'))

const route = getRouteApi('/usage')

/** The dimensions that budgets can apply to. */
const budgetScopes: Partial<Record<UsageDimension, BudgetScope>> = {
  member: 'member',
  project: 'project',
  key: 'key',
  tag: 'tag',
  model: 'model',
}

/** The usage by one dimension, or by two as a cross table. */
export function Breakdown() {
  const view = route.useSearch()
  const { by = defaultBy, against } = view
  const query = useQuery(viewQueries(view).groups)
  const summary = useQuery(viewQueries(view).summary)
  // The budget of a group applies to all its spend: next to a part of it, it would mislead.
  const isWhole = against === undefined && isUnfiltered(view)
  const budgets = useRowBudgets(isWhole ? budgetScopes[by] : undefined)
  return (
    <Panel p={0}>
      <Group p={{ base: 'md', sm: 'lg' }} pb="sm" gap="sm">
        <Choices by={by} against={against} />
      </Group>
      {(overlaps(by) || (against !== undefined && overlaps(against))) && <TagRule />}
      {[by, against].some((one) => one !== undefined && tagKeyOf(one) !== undefined) && <KeyRule />}
      <Loaded query={query} skeleton={<Skeleton height={260} />}>
        {({ data, others, by: [shown = by, shownAgainst] }) => (
          <>
            {data.length === 0 && (
              <Text size="sm" c="dimmed" px={{ base: 'md', sm: 'lg' }} pb="lg">
                No data.
              </Text>
            )}
            {data.length > 0 && shownAgainst === undefined && (
              <BreakdownTable
                groups={data}
                others={others}
                by={shown}
                total={summary.data}
                budgets={budgets}
              />
            )}
            {data.length > 0 && shownAgainst !== undefined && (
              <Suspense fallback={<Skeleton height={260} />}>
                <CrossTable
                  groups={data}
                  others={others}
                  by={shown}
                  against={shownAgainst}
                  measure={measureOf(view)}
                />
              </Suspense>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

interface ChoicesProps {
  by: UsageDimension
  against: UsageDimension | undefined
}

function Choices({ by, against }: ChoicesProps) {
  const view = route.useSearch()
  const [isOpened, setOpened] = useState(false)
  const found = useFound('tag', view, isOpened)
  const keys = tagKeysOf(found ?? [], [by, against])
  const navigate = route.useNavigate()
  const change = (changed: { by?: UsageDimension; against?: UsageDimension | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true, resetScroll: false })
  return (
    <>
      <DimensionChoice
        label="Group by"
        value={by}
        keys={keys}
        onOpen={() => setOpened(true)}
        onChange={(value) =>
          value !== undefined && change({ by: value, ...(value === against && { against: undefined }) })
        }
      />
      <DimensionChoice
        label="Crossed with"
        value={against}
        keys={keys}
        without={by}
        onOpen={() => setOpened(true)}
        onChange={(value) => change({ against: value })}
      />
    </>
  )
}

/** Explains why only one value per tag key counts. */
function KeyRule() {
  return (
    <Text size="sm" c="dimmed" px={{ base: 'md', sm: 'lg' }} pb="sm">
      By tag values, such as team:search. They do not overlap: if a request has two values, the first in
      alphabetical order counts.
    </Text>
  )
}
