import { formatUsd, parseUsd } from '@turnpike/billing'
import type { AccountBooks, Entry } from './books.ts'
import type { Differences } from './differences.ts'
import type { Movement } from '../world/movements.ts'
import type { World } from '../world/world.ts'

/**
 * Checks that credit is where it was put or was spent, and that each requested movement has counted once.
 * @returns how many keys exist whose creation no response reported, because a node was killed
 */
export function compareCredit(
  books: readonly AccountBooks[],
  movements: readonly Movement[],
  world: World,
  differences: Differences,
): { strayKeys: number } {
  let strayKeys = 0
  for (const book of books) {
    compareSum(book, movements, differences)
    compareSummary(book, differences)
    compareHealth(book, differences)
    strayKeys += compareKeys(book, world, differences)
    compareMovements(book, movements, differences)
  }
  return { strayKeys }
}

/** Checks to the last digit: credits of keys + unassigned + usage = grants + adjustments - refunds. */
function compareSum(book: AccountBooks, movements: readonly Movement[], differences: Differences): void {
  const { accountId, keys, rows, unassignedUsd } = book
  let there = parseUsd(unassignedUsd)
  for (const key of keys) there += parseUsd(key.balance_usd)
  for (const row of rows) there += parseUsd(row.cost_usd)
  let grantedPico = 0n
  const posted = new Set(book.entries.map((entry) => movementOf(entry)))
  for (const { account, status, plan } of movements) {
    // Only the ledger knows whether a call without a response has counted.
    const counts = status === 201 || (status === 409 && posted.has(plan.id))
    if (account.id !== accountId || !counts) continue
    const amount = parseUsd(plan.amountUsd)
    if (plan.kind === 'grant') grantedPico += amount
    if (plan.kind === 'refund') grantedPico -= amount
    if (plan.kind === 'adjustment') grantedPico += plan.negative ? -amount : amount
  }
  differences.equal(
    `credit of ${accountId}: keys + unassigned + usage = grants + adjustments - refunds`,
    formatUsd(grantedPico),
    formatUsd(there),
  )
}

/** Checks that the usage endpoint's sums are those of the rows. */
function compareSummary({ accountId, rows, summary }: AccountBooks, differences: Differences): void {
  const counted = rows.filter((row) => row.outcome !== 'failed')
  const cost = counted.reduce((sum, row) => sum + parseUsd(row.cost_usd), 0n)
  differences.equal(`usage summary of ${accountId}: requests`, counted.length, summary.total_requests)
  differences.equal(`usage summary of ${accountId}: cost`, formatUsd(cost), summary.total_cost_usd)
}

/** Checks that health counts each row once, whatever process was killed while it was written. */
function compareHealth({ accountId, rows, health }: AccountBooks, differences: Differences): void {
  const about = `health of ${accountId}`
  const tokensIn = rows.reduce((sum, row) => sum + row.tokens_in, 0)
  const completed = rows.filter(({ outcome }) => outcome === 'completed')
  differences.equal(`${about}: requests`, rows.length, health.requests)
  differences.equal(`${about}: completed`, completed.length, health.completed)
  differences.equal(`${about}: tokens`, tokensIn, health.tokens_in)
  const types = rows.flatMap(({ error_type: type }) => type ?? [])
  const counted = health.errors.map(({ type, requests }) => `${requests} ${type}`)
  const expected = [...new Set(types)].map((type) => `${types.filter((one) => one === type).length} ${type}`)
  differences.equal(`${about}: errors`, expected.toSorted().join(', '), counted.toSorted().join(', '))
}

/**
 * Checks that a revoked key keeps no credit, and that one that draws on another key has none.
 * @returns how many keys exist whose creation no response reported
 */
function compareKeys(book: AccountBooks, world: World, differences: Differences): number {
  const known = new Set(world.keys.map((key) => key.id))
  for (const key of book.keys)
    if (key.status === 'revoked' || key.draws_on !== null)
      differences.equal(`credit of ${key.id}, which is revoked or draws on another`, '0', key.balance_usd)
  return book.keys.filter((key) => !known.has(key.id)).length
}

/** The movement that an entry's reference names; something else for entries that the gateway made itself. */
function movementOf({ reference }: Entry): string {
  return reference.split(':').at(-1)!
}

/** Movements that create no ledger entry of their own. */
const isOfKeys: ReadonlySet<string> = new Set(['revoke', 'rotate', 'draw', 'organization'])

function compareMovements(
  { accountId, entries }: AccountBooks,
  movements: readonly Movement[],
  differences: Differences,
): void {
  const posted = new Map<string, Entry[]>()
  for (const entry of entries) {
    const id = movementOf(entry)
    posted.set(id, [...(posted.get(id) ?? []), entry])
  }
  for (const { account, plan, status, entry } of movements) {
    if (account.id !== accountId || isOfKeys.has(plan.kind)) continue
    const found = posted.get(plan.id) ?? []
    const name = `${plan.kind} ${plan.id} of ${accountId}`
    if (status === 409) {
      if (found.length > 1) differences.add(`${name}: entries`, 'at most 1', String(found.length))
    } else if (status === 201) {
      differences.equal(`${name}: entries`, 1, found.length)
      if (found[0] !== undefined)
        differences.equal(`${name}: amount`, entry?.amount_usd ?? '', found[0].amount_usd)
    } else if (plan.kind !== 'transfer') {
      // A transfer that was posted may be refused when it is retried, if its key was revoked meanwhile.
      differences.equal(`${name}: entries, as it was answered with ${status}`, 0, found.length)
    }
  }
}
