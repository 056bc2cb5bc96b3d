import { formatUsd, parseUsd } from '@turnpike/billing'
import type { Random } from '@turnpike/simulators'
import type { Admin } from './admin.ts'
import type { AccountBooks, Row } from './books.ts'
import { between, oneOf, randomOf } from './chance.ts'
import { numberTag } from './clients.ts'
import { excessesOf } from './compare-balances.ts'
import type { Differences } from './differences.ts'
import { isOfBudget, neededUsd } from './refusal-text.ts'
import type { Sighting } from './sighting.ts'
import type { World, WorldAccount } from './world.ts'

/** A budget as the admin API has it. */
interface BudgetRecord {
  id: string
  name: string
  scope: string
  subject: string | null
  limit_usd: string
  hard: boolean
  spent_usd: string
  reserved_usd: string
}

/** What of a movement's plan says what becomes of budgets. */
interface BudgetPlan {
  id: string
  slot: number
  amountUsd: string
  namesKey: boolean
  negative: boolean
  hasOwn: boolean
}

/** Names of budgets that are there from the beginning to the end, and never lowered. */
const lasting = 'lasting'
const teams = 9
/** Some hundred answers of the account, and some dozens of a team. */
const lastingUsd = { organization: '6', tag: '0.8' }

const pathOf = (account: WorldAccount): string => `/accounts/${account.id}/budgets`

function budgetedOf({ accounts }: Pick<World, 'accounts'>): WorldAccount {
  return accounts.find(({ wealth }) => wealth === 'budgeted')!
}

/** Before anything is disturbed: on all of the account, and on some of its teams. */
export async function makeLastingBudgets(world: World, admin: Admin, random: Random): Promise<void> {
  const on = [
    { scope: 'organization', limit_usd: lastingUsd.organization },
    ...[1, 2, 3].map((team) => ({ scope: 'tag', subject: `team:${team}`, limit_usd: lastingUsd.tag })),
  ]
  for (const [number, what] of on.entries()) {
    const body = { name: lasting, period: 'total', ...what }
    await admin.ask(random, 'POST', pathOf(budgetedOf(world)), body, `budget-${number}`)
  }
}

/** Makes, lowers, raises, softens or deletes one, while requests run; lasting ones are only raised. */
export async function moveBudget(
  plan: BudgetPlan,
  world: World,
  admin: Admin,
  random: Random,
): Promise<void> {
  const path = pathOf(budgetedOf(world))
  if (plan.namesKey) {
    const tag = { scope: 'tag', subject: `team:${between(random, 1, teams)}` }
    const what = plan.negative ? { scope: 'organization' } : tag
    const period = oneOf(random, ['day', 'week', 'month', 'total'])
    const limits = { period, limit_usd: plan.amountUsd, hard: !plan.hasOwn }
    await admin.call(random, 'POST', path, { name: plan.id, ...what, ...limits }, plan.id)
    return
  }
  const { data } = await admin.ask<{ data: BudgetRecord[] }>(random, 'GET', `${path}?limit=200`)
  const budget = data[plan.slot % Math.max(1, data.length)]
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

/**
 * Each budget has counted exactly the requests that fall under it, and its report says what the ledger does.
 * No lasting one is exceeded but by what requests cost beyond their holds; and nobody was refused for one
 * that left enough to the end.
 */
export async function compareBudgets(
  {
    world,
    books,
    sightings,
  }: { world: World; books: readonly AccountBooks[]; sightings: readonly Sighting[] },
  admin: Admin,
  differences: Differences,
): Promise<void> {
  const account = budgetedOf(world)
  const book = books.find(({ accountId }) => accountId === account.id)!
  const random = randomOf(0, 'budgets')
  const { data } = await admin.ask<{ data: BudgetRecord[] }>(random, 'GET', `${pathOf(account)}?limit=200`)
  const allowed = await excessOf(book, sightings, admin)
  for (const budget of data) {
    const name = `budget ${budget.id} (${budget.name}, ${budget.subject ?? budget.scope})`
    const spent = sumOf(book.rows.filter((row) => isUnder(row, budget)))
    // The run is within one day, and its budgets are of that or longer: but for one over midnight, UTC.
    if (budget.name === lasting) differences.equal(`spent of ${name}`, formatUsd(spent), budget.spent_usd)
    const report = await admin.ask<{ cost_usd: string; ledger_usage_usd: string }>(
      random,
      'GET',
      `${pathOf(account)}/${budget.id}/report`,
    )
    differences.equal(`report of ${name}`, report.ledger_usage_usd, report.cost_usd)
    const most = parseUsd(budget.limit_usd) + allowed
    if (budget.name === lasting && spent > most)
      differences.add(`spent of ${name}`, `at most ${formatUsd(most)}`, formatUsd(spent))
  }
  compareRefusals(sightings, data, differences)
}

function isUnder(row: Row, { scope, subject }: BudgetRecord): boolean {
  return scope === 'organization' || row.tags.includes(subject ?? '')
}

function sumOf(rows: readonly Row[]): bigint {
  return rows.reduce((sum, row) => sum + parseUsd(row.cost_usd), 0n)
}

async function excessOf(book: AccountBooks, sightings: readonly Sighting[], admin: Admin): Promise<bigint> {
  const byTag = new Map(sightings.map((sighting) => [numberTag(sighting.plan.number), sighting]))
  let sum = 0n
  for (const key of book.keys)
    for (const { pico } of await excessesOf(key, book.rows, byTag, admin)) sum += pico
  return sum
}

function compareRefusals(
  sightings: readonly Sighting[],
  budgets: readonly BudgetRecord[],
  differences: Differences,
): void {
  for (const { status, error, key, requestId, plan } of sightings) {
    if (status !== 402 || !isOfBudget(error)) continue
    const name = `402 of ${requestId} (${numberTag(plan.number)}) of ${key.id}`
    if (key.account.wealth !== 'budgeted') differences.add(name, 'no budget', error?.message ?? '')
    // One that was raised later names the limit that it had then.
    const told = /^The budget "lasting" \((?:the whole account|tag `([^`]+)`), (\S+) USD/.exec(
      error?.message ?? '',
    )
    if (told === null) continue
    const budget = budgets.find((one) => one.name === lasting && one.subject === (told[1] ?? null))
    const left = parseUsd(told[2]!) - parseUsd(budget?.spent_usd ?? '0')
    if (left >= parseUsd(neededUsd(error)))
      differences.add(name, `no refusal: ${formatUsd(left)} USD are left to the end`, error?.message ?? '')
  }
}
