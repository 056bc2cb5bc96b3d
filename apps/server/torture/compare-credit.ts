import { formatUsd, parseUsd } from '@turnpike/billing'
import type { AccountBooks, Entry } from './books.ts'
import type { Differences } from './differences.ts'
import type { Movement } from './movements.ts'
import type { World } from './world.ts'

/** Credit is where it was put or was spent; what was asked for once has counted once. */
export function compareCredit(
  books: readonly AccountBooks[],
  movements: readonly Movement[],
  world: World,
  differences: Differences,
): void {
  for (const book of books) {
    compareSum(book, movements, differences)
    compareSummary(book, differences)
    compareKeys(book, world, differences)
    compareMovements(book, movements, differences)
  }
}

/** Credits of keys + unassigned + usage = grants + adjustments - refunds, to the last digit. */
function compareSum(book: AccountBooks, movements: readonly Movement[], differences: Differences): void {
  const { accountId, keys, rows, unassignedUsd } = book
  let there = parseUsd(unassignedUsd)
  for (const key of keys) there += parseUsd(key.balance_usd)
  for (const row of rows) there += parseUsd(row.cost_usd)
  let given = 0n
  for (const { account, status, plan } of movements) {
    if (account.id !== accountId || status !== 201) continue
    const amount = parseUsd(plan.amountUsd)
    if (plan.kind === 'grant') given += amount
    if (plan.kind === 'refund') given -= amount
    if (plan.kind === 'adjustment') given += plan.negative ? -amount : amount
  }
  differences.equal(
    `credit of ${accountId}: keys + unassigned + usage = grants + adjustments - refunds`,
    formatUsd(given),
    formatUsd(there),
  )
}

/** The usage endpoint's sums are those of the rows. */
function compareSummary({ accountId, rows, summary }: AccountBooks, differences: Differences): void {
  const counted = rows.filter((row) => row.outcome !== 'failed')
  const cost = counted.reduce((sum, row) => sum + parseUsd(row.cost_usd), 0n)
  differences.equal(`usage summary of ${accountId}: requests`, counted.length, summary.total_requests)
  differences.equal(`usage summary of ${accountId}: cost`, formatUsd(cost), summary.total_cost_usd)
}

/** No key that nobody made, and a revoked one keeps nothing. */
function compareKeys(book: AccountBooks, world: World, differences: Differences): void {
  const names = new Set<string>()
  for (const key of book.keys) {
    if (key.status === 'revoked') differences.equal(`credit of the revoked ${key.id}`, '0', key.balance_usd)
    const known = world.keys.some((one) => one.id === key.id)
    if (!known)
      differences.add(`key ${key.id} (${key.name})`, 'none: its call was answered with another', 'one')
    names.add(key.name)
  }
}

function compareMovements(
  { accountId, entries }: AccountBooks,
  movements: readonly Movement[],
  differences: Differences,
): void {
  const posted = new Map<string, Entry[]>()
  for (const entry of entries) {
    const id = entry.reference.split(':').at(-1)!
    posted.set(id, [...(posted.get(id) ?? []), entry])
  }
  for (const { account, plan, status, entry } of movements) {
    if (account.id !== accountId || plan.kind === 'revoke' || plan.kind === 'rotate') continue
    const found = posted.get(plan.id) ?? []
    const name = `${plan.kind} ${plan.id} of ${accountId}`
    if (status === 201) {
      differences.equal(`${name}: entries`, 1, found.length)
      if (found[0] !== undefined)
        differences.equal(`${name}: amount`, entry?.amount_usd ?? '', found[0].amount_usd)
    } else if (plan.kind !== 'transfer') {
      // A transfer that was posted may be refused when it is sent again: its key was revoked meanwhile.
      differences.equal(`${name}: entries, as it was answered with ${status}`, 0, found.length)
    }
  }
}
