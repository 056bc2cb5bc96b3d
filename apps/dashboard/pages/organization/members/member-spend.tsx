import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client.ts'
import { useMay, useSeesAll } from '../../../api/permissions.ts'
import { memberName } from '../../../api/team.ts'
import { breakdownQuery, mostGroups, nameOf } from '../../../api/usage-queries.ts'
import { budgetColumn } from '../../../budgets/budget-column.tsx'
import { useRowBudgets } from '../../../budgets/row-budgets.ts'
import type { Column } from '../../../components/tables/data-table.tsx'
import { Money } from '../../../components/money.tsx'
import { PageLink } from '../../../components/page-link.tsx'
import { parseUsd } from '../../../format/money.ts'

type Member = Schemas['Member']

const days = 30

/**
 * What each member's keys spent lately, and their budgets; empty if the role may not see usage. Developers
 * only see their own.
 */
export function useSpendColumns(me: Schemas['Me'] | undefined): Column<Member>[] {
  const isAllowed = useMay()('usage:read')
  const seesAll = useSeesAll()
  const query = breakdownQuery({ days, by: ['member'], limit: mostGroups })
  const { data } = useQuery({ ...query, enabled: isAllowed })
  const budgets = useRowBudgets(isAllowed ? 'member' : undefined)
  if (!isAllowed || me === undefined) return []
  const spentBy = data && new Map(data.data.map((group) => [nameOf(group), group.total_cost_usd]))
  const isSeen = ({ id }: Member) => seesAll || id === me.member_id
  const spendOf = (member: Member) =>
    isSeen(member) && spentBy !== undefined ? (spentBy.get(member.id) ?? '0') : undefined
  const spend: Column<Member> = {
    head: `Spend, ${days} days`,
    align: 'right',
    weight: 600,
    orderBy: (member) => parseUsd(spendOf(member) ?? '0'),
    cell: (member) => {
      const spent = spendOf(member)
      if (spent === undefined) return isSeen(member) ? '…' : '–'
      return (
        <PageLink to="/usage" search={{ member: member.id, days }} title={`Usage of ${memberName(member)}`}>
          <Money amount={spent} />
        </PageLink>
      )
    },
  }
  return [spend, ...(budgets.size > 0 ? [budgetColumn<Member>(({ id }) => budgets.get(id))] : [])]
}
