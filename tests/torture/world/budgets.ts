import { formatUsd, parseUsd, type BudgetScope } from '@turnpike/billing'
import type { SpendLimitPeriod } from '@turnpike/protocol'
import type { Random } from '@turnpike/simulators'
import type { Admin } from './admin.ts'
import { between, oneOf } from '../chance.ts'
import { models } from './prices.ts'
import type { World, WorldAccount } from './world.ts'

/** A budget as the admin API returns it. */
export interface BudgetRecord {
  id: string
  name: string
  scope: BudgetScope
  subject: string | null
  period: SpendLimitPeriod
  limit_usd: string
  hard: boolean
  spent_usd: string
  reserved_usd: string
}

/** The fields of a movement's plan that decide what happens to budgets. */
interface BudgetPlan {
  id: string
  slot: number
  amountUsd: string
  namesKey: boolean
  negative: boolean
  hasOwn: boolean
}

/** Name prefix of budgets that exist during the whole run and are never lowered. */
export const lasting = 'lasting'
const teams = 9
const periods = ['day', 'week', 'month', 'total'] as const

const pathOf = (account: WorldAccount): string => `/accounts/${account.id}/budgets`

/** All budgets of the organization. */
export async function readBudgets(
  { organization }: World,
  admin: Admin,
  random: Random,
): Promise<BudgetRecord[]> {
  const budgets: BudgetRecord[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const path = `${pathOf(organization.account)}?limit=200${query}`
    const page: { data: BudgetRecord[]; next_cursor: string | null } = await admin.ask(random, 'GET', path)
    budgets.push(...page.data)
    cursor = page.next_cursor
  }
  return budgets
}

/**
 * Before any disturbance: budgets on the whole account, some of its teams, a project, its founder and a
 * model. The account's covers some hundred answers, the others some dozens, within a period or in total.
 */
export async function makeLastingBudgets(world: World, admin: Admin, random: Random): Promise<void> {
  const { account, memberIds, projectIds } = world.organization
  const tag = (team: number) => ({ scope: 'tag', subject: `team:${team}`, limit_usd: '0.8' })
  const on = [
    { scope: 'organization', period: 'total', limit_usd: '6' },
    { scope: 'organization', period: 'month', limit_usd: '4' },
    { ...tag(1), period: 'total' },
    { ...tag(2), period: 'day' },
    { ...tag(3), period: 'week' },
    { scope: 'project', subject: projectIds[0], period: 'day', limit_usd: '1' },
    { scope: 'member', subject: memberIds[0], period: 'week', limit_usd: '1' },
    { scope: 'member', subject: memberIds[1], period: 'total', limit_usd: '1' },
    { scope: 'model', subject: Object.keys(models)[1], period: 'month', limit_usd: '1.5' },
  ]
  for (const [number, what] of on.entries())
    await admin.ask(random, 'POST', pathOf(account), { name: lasting, ...what }, `budget-${number}`)
}

/** Creates, lowers, raises, softens or deletes a budget while requests run; lasting ones are only raised. */
export async function moveBudget(
  plan: BudgetPlan,
  world: World,
  admin: Admin,
  random: Random,
): Promise<void> {
  const path = pathOf(world.organization.account)
  if (plan.namesKey) {
    const limits = { period: oneOf(random, periods), limit_usd: plan.amountUsd, hard: !plan.hasOwn }
    // A budget on a member, project or key that no longer exists is refused, or never spent.
    await admin.call(random, 'POST', path, { name: plan.id, ...someScope(world, random), ...limits }, plan.id)
    return
  }
  const budgets = await readBudgets(world, admin, random)
  const budget = budgets[plan.slot % Math.max(1, budgets.length)]
  if (budget === undefined) return
  const isLasting = budget.name === lasting
  const raised = formatUsd(parseUsd(budget.limit_usd) + parseUsd(plan.amountUsd))
  if (isLasting) await admin.call(random, 'PATCH', `${path}/${budget.id}`, { limit_usd: raised })
  else if (plan.hasOwn) await admin.call(random, 'DELETE', `${path}/${budget.id}`)
  else {
    const changes = plan.negative ? { hard: !budget.hard } : { limit_usd: plan.amountUsd }
    await admin.call(random, 'PATCH', `${path}/${budget.id}`, changes)
  }
}

function someScope({ organization, slots }: World, random: Random): { scope: BudgetScope; subject?: string } {
  const scope = oneOf<BudgetScope>(random, [
    'organization',
    'tag',
    'tag',
    'project',
    'member',
    'key',
    'model',
  ])
  const keys = slots.flatMap(({ account, key }) => (account === organization.account && key ? [key.id] : []))
  const subjects: Record<BudgetScope, readonly string[]> = {
    organization: [],
    tag: [`team:${between(random, 1, teams)}`],
    project: organization.projectIds,
    member: organization.memberIds,
    key: keys,
    model: Object.keys(models),
  }
  const { [scope]: all } = subjects
  return all.length === 0 ? { scope: 'organization' } : { scope, subject: oneOf(random, all) }
}
