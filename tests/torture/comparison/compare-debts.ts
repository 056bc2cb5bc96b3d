import { formatUsd, parseUsd } from '@turnpike/billing'
import type { Admin } from '../world/admin.ts'
import type { AccountBooks } from './books.ts'
import { numberTag } from '../clients/clients.ts'
import { excessesOf, largestAtOnce } from './compare-balances.ts'
import type { Differences } from './differences.ts'
import type { Movement } from '../world/movements.ts'
import type { Sighting } from '../clients/sighting.ts'
import { debtUsd } from '../world/world.ts'

/** A node returns idle credit this soon after a debt; requests that it serves by then may still end. */
const hearsWithinMs = 5_000

interface Waits {
  leaseSeconds: number
  longestHaltMs?: number
}

/**
 * Checks that no other key of an account spends what one key owes. A node that was halted or cut off may go
 * on spending until its leases expire.
 */
export async function compareDebts(
  sightings: readonly Sighting[],
  books: readonly AccountBooks[],
  movements: readonly Movement[],
  waits: Waits,
  admin: Admin,
  differences: Differences,
): Promise<void> {
  const byTag = new Map(sightings.map((sighting) => [numberTag(sighting.plan.number), sighting]))
  for (const book of books) {
    const charged = book.rows.flatMap((row) => {
      const sighting = byTag.get(row.tags.find((tag) => tag.startsWith('n:')) ?? '')
      return sighting !== undefined && parseUsd(row.cost_usd) > 0n ? [{ row, sighting }] : []
    })
    const bindsAfterMs = waits.leaseSeconds * 1_000 + (waits.longestHaltMs ?? 0) + hearsWithinMs
    const ofAccount = movements.filter(
      ({ account, status }) => account.id === book.accountId && status === 201,
    )
    for (const { plan, answeredAtMs } of ofAccount) {
      if (plan.amountUsd !== debtUsd) continue
      for (const { row, sighting } of charged)
        if (sighting.sentAtMs > answeredAtMs + bindsAfterMs)
          differences.add(
            `${row.id} of ${row.key_id}, whose account is in debt`,
            'refused',
            `${row.cost_usd} USD`,
          )
    }
    const lastMs = Math.max(0, ...charged.map(({ sighting }) => sighting.sentAtMs))
    const taken = takenSince(ofAccount, lastMs - bindsAfterMs)
    await compareTotal(book, taken, byTag, admin, differences)
  }
}

/** What refunds and adjustments took after the last served request, at the latest possible times. */
function takenSince(movements: readonly Movement[], sinceMs: number): bigint {
  let taken = 0n
  for (const { plan, answeredAtMs } of movements) {
    const takes = plan.kind === 'refund' || (plan.kind === 'adjustment' && plan.negative)
    if (takes && answeredAtMs >= sinceMs) taken += parseUsd(plan.amountUsd)
  }
  return taken
}

/** Checks that an account is below zero by no more than that and by costs beyond concurrent holds. */
async function compareTotal(
  { accountId, keys, rows, unassignedUsd }: AccountBooks,
  taken: bigint,
  byTag: ReadonlyMap<string, Sighting>,
  admin: Admin,
  differences: Differences,
): Promise<void> {
  const total = keys.reduce((sum, key) => sum + parseUsd(key.balance_usd), parseUsd(unassignedUsd))
  if (total >= 0n || -total <= taken) return
  const excesses = []
  for (const key of keys) excesses.push(...(await excessesOf(key, rows, byTag, admin)))
  const allowed = taken + largestAtOnce(excesses)
  if (-total > allowed)
    differences.add(`credit of ${accountId} in all`, `at least -${formatUsd(allowed)}`, formatUsd(total))
}
