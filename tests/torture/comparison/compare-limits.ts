import { formatUsd, parseUsd } from '@turnpike/billing'
import type { Admin } from '../world/admin.ts'
import type { AccountBooks, KeyRecord } from './books.ts'
import { numberTag } from '../clients/clients.ts'
import { excessesOf } from './compare-balances.ts'
import type { Differences } from './differences.ts'
import { isOfLimit, neededUsd } from './refusal-text.ts'
import type { Sighting } from '../clients/sighting.ts'

/**
 * Checks that no key has spent more than its limit, except what requests cost beyond their holds, and that
 * none was refused for a limit that it could not have reached. Limits of this run have no period.
 */
export async function compareLimits(
  books: readonly AccountBooks[],
  sightings: readonly Sighting[],
  admin: Admin,
  differences: Differences,
): Promise<void> {
  const byTag = new Map(sightings.map((sighting) => [numberTag(sighting.plan.number), sighting]))
  const limited = new Map<string, KeyRecord>()
  for (const book of books)
    for (const key of book.keys) {
      if (key.spend_limit_usd === null) continue
      limited.set(key.id, key)
      const limit = parseUsd(key.spend_limit_usd)
      const spent = parseUsd(key.spent_usd ?? '0')
      const own = sumOf(book, key.id)
      if (own > spent) differences.add(`spent by ${key.id}`, `at least ${formatUsd(own)}`, formatUsd(spent))
      if (spent <= limit) continue
      const allowed = limit + (await excessOf(book, byTag, admin))
      if (spent > allowed)
        differences.add(`spent by ${key.id}`, `at most ${formatUsd(allowed)}`, formatUsd(spent))
    }
  compareRefusals(sightings, limited, differences)
}

function sumOf({ rows }: AccountBooks, keyId: string): bigint {
  return rows.reduce((sum, row) => (row.key_id === keyId ? sum + parseUsd(row.cost_usd) : sum), 0n)
}

/** For all keys of the account: after a lost response, it is unknown which key was rotated to which. */
async function excessOf(
  book: AccountBooks,
  byTag: ReadonlyMap<string, Sighting>,
  admin: Admin,
): Promise<bigint> {
  let sum = 0n
  for (const key of book.keys)
    for (const { pico } of await excessesOf(key, book.rows, byTag, admin)) sum += pico
  return sum
}

function compareRefusals(
  sightings: readonly Sighting[],
  limited: ReadonlyMap<string, KeyRecord>,
  differences: Differences,
): void {
  for (const { status, error, key, requestId, plan } of sightings) {
    if (status !== 402 || !isOfLimit(error)) continue
    const name = `402 of ${requestId} (${numberTag(plan.number)}) of ${key.id}`
    const record = limited.get(key.id)
    if (record === undefined || record.spend_limit_usd === null) {
      differences.add(name, 'no spend limit', error?.message ?? '')
      continue
    }
    // Only the successor's record includes what it has spent since the rotation.
    if (key.endingSinceMs !== undefined) continue
    const left = parseUsd(record.spend_limit_usd) - parseUsd(record.spent_usd ?? '0')
    if (left >= parseUsd(neededUsd(error)))
      differences.add(name, `no refusal: ${formatUsd(left)} USD are left to the end`, error?.message ?? '')
  }
}
