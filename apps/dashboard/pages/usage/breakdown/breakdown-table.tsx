import { Progress, Text } from '@mantine/core'
import { Suspense } from 'react'
import { budgetColumn } from '../../../budgets/budget-column.tsx'
import type { Budget } from '../../../api/budget-queries.ts'
import { nameOf, type UsageGroup, type UsageTotals } from '../../../api/usage-queries.ts'
import { DataTable, type Column } from '../../../components/tables/data-table.tsx'
import { lazyPart } from '../../../components/lazy-part.tsx'
import { Money } from '../../../components/money.tsx'
import { PageLink } from '../../../components/page-link.tsx'
import { shareOf } from '../../../format/money.ts'
import { wholeNumber } from '../../../format/number.ts'
import { AboutModel } from '../../../models/served-model.tsx'
import { dimensionName, dimensionWord, useGroupNames } from '../group-names.ts'
import { narrowView } from '../narrow.ts'
import { restOf, sumsOf, type Sums } from './rest.ts'
import type { UsageDimension } from '../usage-search.ts'

const AboutProject = lazyPart(() => import('../about-project.tsx'))

interface BreakdownTableProps {
  groups: UsageGroup[]
  /** The sum of the groups that the response leaves out. */
  others: UsageTotals | null
  by: UsageDimension
  /** For all requests, each counted once. Undefined while it loads. */
  total: UsageTotals | undefined
  /** The budgets of groups, by the groups' names. */
  budgets: ReadonlyMap<string, Budget>
}

interface Row {
  /** Undefined for the rest and for the total. */
  group?: UsageGroup
  isTotal?: boolean
  sums: Sums
}

const shownAtMost = 400

export function BreakdownTable({ groups, others, by, total, budgets }: BreakdownTableProps) {
  const shown = by === 'day' || by === 'hour' ? groups.toReversed() : groups
  const rows = shown.slice(0, shownAtMost).map((group): Row => ({ group, sums: sumsOf(group) }))
  const rest = restOf(shown.slice(shownAtMost), others)
  const columns = useColumns(by, rows, budgets)
  return (
    <>
      <DataTable<Row>
        label={`Usage by ${dimensionWord(by)}`}
        minWidth={budgets.size > 0 ? 860 : 640}
        verticalSpacing="xs"
        columns={columns}
        rows={rest === undefined ? rows : [...rows, { sums: rest }]}
        keyOf={({ group }) => (group === undefined ? 'others' : `named ${nameOf(group) ?? ''}`)}
        isLast={({ group }) => group === undefined}
        {...(total && { total: { sums: sumsOf(total), isTotal: true } })}
      />
      {rest !== undefined && (
        <Text size="sm" c="dimmed" p="md">
          The most expensive {shownAtMost}, with all others combined. The export includes all of them.
        </Text>
      )}
    </>
  )
}

function useColumns(
  by: UsageDimension,
  rows: readonly Row[],
  budgets: BreakdownTableProps['budgets'],
): Column<Row>[] {
  const called = useGroupNames(by)
  const largest = rows.reduce((most, { sums: { cost } }) => (cost > most ? cost : most), 0n)
  return [
    {
      head: dimensionName(by),
      place: 'name',
      orderBy: ({ group }) => (group === undefined ? '' : called(by, nameOf(group))),
      cell: ({ group, isTotal = false }) => {
        if (isTotal) return 'Total'
        if (group === undefined) return <Text size="sm" c="dimmed" children="All others" />
        return <GroupLink by={by} group={nameOf(group)} called={called(by, nameOf(group))} />
      },
    },
    {
      head: 'Spend',
      align: 'right',
      weight: 600,
      place: 'figure',
      orderBy: ({ sums }) => sums.cost,
      cell: ({ sums }) => <Money amount={sums.cost} />,
    },
    budgets.size > 0
      ? budgetColumn<Row>(({ group }) => budgets.get((group && nameOf(group)) ?? ''))
      : comparison(largest),
    {
      head: 'Requests',
      align: 'right',
      orderBy: ({ sums }) => BigInt(sums.requests),
      cell: ({ sums }) => wholeNumber(sums.requests),
    },
    {
      head: 'Tokens in',
      align: 'right',
      orderBy: ({ sums }) => BigInt(sums.tokensIn),
      cell: ({ sums }) => wholeNumber(sums.tokensIn),
    },
    {
      head: 'Tokens out',
      align: 'right',
      orderBy: ({ sums }) => BigInt(sums.tokensOut),
      cell: ({ sums }) => wholeNumber(sums.tokensOut),
    },
  ]
}

/**
 * A bar that compares the row with the costliest one.
 * @param largest the cost of that one, in pico-USD
 */
function comparison(largest: bigint): Column<Row> {
  return {
    head: 'Compared with the largest',
    isHeadHidden: true,
    width: 140,
    place: 'words',
    cell: ({ group, sums }) =>
      group !== undefined && (
        <Progress
          w="100%"
          size={5}
          color="var(--chart-1)"
          value={shareOf(sums.cost, largest) ?? 0}
          aria-hidden
        />
      ),
  }
}

interface GroupLinkProps {
  by: UsageDimension
  group: string | null
  called: string
}

/** Links to the same page, filtered by this group. */
export function GroupLink({ by, group, called }: GroupLinkProps) {
  if (group === null)
    return (
      <Text size="sm" c="dimmed">
        {called}
      </Text>
    )
  return (
    <>
      <PageLink
        from="/usage"
        to="/usage"
        search={(before) => narrowView(before, by, group)}
        resetScroll={false}
        fw={500}
        style={{ overflowWrap: 'anywhere' }}
      >
        {called}
      </PageLink>
      {by === 'model' && <AboutModel id={group} />}
      {by === 'project' && (
        <Suspense fallback={null}>
          <AboutProject id={group} name={called} />
        </Suspense>
      )}
    </>
  )
}
