import { formatUsd, parseUsd } from '@turnpike/billing'
import { spendPeriodAt, type SpendPeriod } from '@turnpike/protocol'
import type { Admin } from '../world/admin.ts'
import { exported, type AccountBooks, type Row } from './books.ts'
import { lasting, readBudgets, type BudgetRecord } from '../world/budgets.ts'
import { randomOf } from '../chance.ts'
import { numberTag } from '../clients/clients.ts'
import { excessesOf } from './compare-balances.ts'
import type { Differences } from './differences.ts'
import type { NodesClock } from '../fleet/nodes-clock.ts'
import { isOfBudget, neededUsd } from './refusal-text.ts'
import type { Sighting } from '../clients/sighting.ts'
import type { World } from '../world/world.ts'

interface Seen {
  world: World
  books: readonly AccountBooks[]
  sightings: readonly Sighting[]
  clock: NodesClock
}

/** A budget, and all rows that fall under it at any time. */
interface Counted {
  budget: BudgetRecord
  rows: readonly Row[]
}

const random = randomOf(0, 'budgets')
/** How far a request's time at its client may differ from its start, around the end of a period. */
const aroundTurnMs = 10_000

/**
 * Checks that each budget has counted exactly the requests that fall under it, day by day, and that its
 * report matches the ledger; that no lasting budget is exceeded in any period, except by what requests cost
 * beyond their holds; and that no request was refused for a budget that left enough to the end of its period.
 * @returns how many were compared
 */
export async function compareBudgets(seen: Seen, admin: Admin, differences: Differences): Promise<number> {
  const { world, books, sightings, clock } = seen
  const { account } = world.organization
  const book = books.find(({ accountId }) => accountId === account.id)!
  const budgets = await readBudgets(world, admin, random)
  const allowedPico = await excessOf(book, sightings, admin)
  const nowMs = clock.at(Date.now())
  const all: Counted[] = []
  for (const budget of budgets) {
    const name = nameOf(budget)
    const rows = await rowsUnder(budget, book, world, admin)
    const path = `/accounts/${account.id}/budgets/${budget.id}/report`
    if (rows === undefined) {
      await compareWithLedger(name, path, admin, differences)
      continue
    }
    const counted = { budget, rows }
    all.push(counted)
    const inPeriod = rowsIn(counted, spendPeriodAt(budget.period, nowMs))
    differences.equal(`spent of ${name}`, formatUsd(sumOf(inPeriod)), budget.spent_usd)
    await compareReport(counted, path, admin, differences)
    if (budget.name === lasting) compareBound(counted, allowedPico, differences)
  }
  compareRefusals(seen, all, differences)
  return budgets.length
}

function nameOf({ id, name, scope, subject, period }: BudgetRecord): string {
  return `budget ${id} (${name}, ${scope} ${subject ?? ''}, ${period})`
}

/**
 * Selects rows by usage filters, except conditions that every row itself shows. Undefined if the harness does
 * not know to which key one was handed over.
 */
async function rowsUnder(
  { scope, subject }: BudgetRecord,
  book: AccountBooks,
  world: World,
  admin: Admin,
): Promise<readonly Row[] | undefined> {
  const rows = book.rows.filter(({ outcome }) => outcome !== 'failed')
  switch (scope) {
    case 'organization':
      return rows
    case 'tag':
      return rows.filter(({ tags }) => tags.includes(subject!))
    case 'model':
      return rows.filter((row) => row.model_served === subject)
    case 'key': {
      const heads = rows.map((row) => headOf(row.key_id, book, world))
      return heads.includes(undefined) ? undefined : rows.filter((_, at) => heads[at] === subject)
    }
    case 'member':
    case 'project': {
      const found = await exported(admin, book.accountId, `${scope}_id=${subject}`)
      return found.filter(({ outcome }) => outcome !== 'failed')
    }
  }
}

/** The key that replaced it, if any. Records that were handed over are on no list. */
function headOf(keyId: string, book: AccountBooks, world: World): string | undefined {
  const listed = book.keys.find(({ id }) => id === keyId)
  if (listed !== undefined) return listed.replaced_by ?? keyId
  const successor = world.keys.find(({ id }) => id === keyId)?.successor
  return typeof successor === 'object' ? headOf(successor.id, book, world) : undefined
}

function rowsIn({ rows }: Counted, { startsAtMs, endsAtMs }: SpendPeriod): Row[] {
  return rows.filter(({ created_at: at }) => at * 1_000 >= startsAtMs && at * 1_000 < endsAtMs)
}

function sumOf(rows: readonly Row[]): bigint {
  return rows.reduce((sum, row) => sum + parseUsd(row.cost_usd), 0n)
}

interface Report {
  days: { day: string; cost_usd: string; requests: number }[]
  cost_usd: string
  ledger_usage_usd: string
}

async function compareWithLedger(
  name: string,
  path: string,
  admin: Admin,
  differences: Differences,
): Promise<void> {
  const { cost_usd: counted, ledger_usage_usd: posted } = await admin.ask<Report>(random, 'GET', path)
  differences.equal(`report of ${name}`, posted, counted)
}

/** Compares the report for all days of the run. */
async function compareReport(
  counted: Counted,
  path: string,
  admin: Admin,
  differences: Differences,
): Promise<void> {
  const times = counted.rows.map(({ created_at: at }) => at)
  const range = times.length === 0 ? '' : `?from=${Math.min(...times)}&to=${Math.max(...times) + 1}`
  const report = await admin.ask<Report>(random, 'GET', path + range)
  const name = `report of ${nameOf(counted.budget)}`
  differences.equal(name, report.ledger_usage_usd, report.cost_usd)
  const days = new Map(report.days.map((one) => [one.day, `${one.requests}, ${one.cost_usd} USD`]))
  const expected = new Map<string, Row[]>()
  for (const row of counted.rows) {
    const day = new Date(row.created_at * 1_000).toISOString().slice(0, 10)
    expected.set(day, [...(expected.get(day) ?? []), row])
  }
  for (const day of new Set([...days.keys(), ...expected.keys()])) {
    const rows = expected.get(day) ?? []
    const summary = rows.length === 0 ? 'nothing' : `${rows.length}, ${formatUsd(sumOf(rows))} USD`
    differences.equal(`${name}: ${day}`, summary, days.get(day) ?? 'nothing')
  }
}

/** Checks the bound in each of the budget's periods. */
function compareBound(counted: Counted, allowedPico: bigint, differences: Differences): void {
  const { budget, rows } = counted
  const periods = new Map(
    rows.map(({ created_at: at }) => {
      const period = spendPeriodAt(budget.period, at * 1_000)
      return [period.startsAtMs, period]
    }),
  )
  const mostPico = parseUsd(budget.limit_usd) + allowedPico
  for (const period of periods.values()) {
    const spentPico = sumOf(rowsIn(counted, period))
    if (spentPico > mostPico)
      differences.add(`spent of ${nameOf(budget)}`, `at most ${formatUsd(mostPico)}`, formatUsd(spentPico))
  }
}

async function excessOf(book: AccountBooks, sightings: readonly Sighting[], admin: Admin): Promise<bigint> {
  const byTag = new Map(sightings.map((sighting) => [numberTag(sighting.plan.number), sighting]))
  const payers = new Set(book.rows.map((row) => row.paid_by ?? row.key_id))
  let sum = 0n
  for (const id of payers)
    for (const { pico } of await excessesOf({ id }, book.rows, byTag, admin)) sum += pico
  return sum
}

const toldBudget =
  /^The budget "lasting" \((?:the whole account|(\w+) `([^`]+)`), (\S+) USD (?:(?:a (\w+))|in total)\)/

function compareRefusals(
  { sightings, clock }: Seen,
  all: readonly Counted[],
  differences: Differences,
): void {
  for (const { status, error, key, requestId, plan, sentAtMs, endedAtMs } of sightings) {
    if (status !== 402 || !isOfBudget(error)) continue
    const message = error?.message ?? ''
    const name = `402 of ${requestId} (${numberTag(plan.number)}) of ${key.id}`
    if (key.account.wealth === 'brief') continue
    if (key.account.wealth !== 'budgeted') differences.add(name, 'no budget', message)
    const budgetInMessage = toldBudget.exec(message)
    if (budgetInMessage === null) continue
    const [, scope = 'organization', subject = null, limitUsd = '', kind = 'total'] = budgetInMessage
    const counted = all.find(
      ({ budget }) =>
        budget.name === lasting &&
        budget.scope === scope &&
        budget.subject === subject &&
        budget.period === kind,
    )
    if (counted === undefined) {
      differences.add(name, 'a budget that is there to the end', message)
      continue
    }
    const { period } = counted.budget
    const [first, last] = [sentAtMs - aroundTurnMs, endedAtMs + aroundTurnMs].map((atMs) =>
      spendPeriodAt(period, clock.at(atMs)),
    )
    if (first!.startsAtMs !== last!.startsAtMs) continue
    // A budget that was raised later is compared with the limit that the refusal names.
    const left = parseUsd(limitUsd) - sumOf(rowsIn(counted, first!))
    if (left >= parseUsd(neededUsd(error)))
      differences.add(name, `no refusal: ${formatUsd(left)} USD are left to the end`, message)
  }
}
