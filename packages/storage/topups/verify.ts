import { topupReferences, type Topup } from '@turnpike/billing'
import { sql } from 'kysely'
import type { Connection } from '../schema.ts'
import type { Compare } from '../usage/verify-totals.ts'
import { highSum, joinSum, lowSum } from '../database/wide-sum.ts'
import { toTopup } from './row.ts'

const rowsPage = 1_000
const identifierLength = 'top_'.length + 26

/** Recomputes the paid, refunded and disputed sum of every top-up from its entries in the ledger. */
export async function verifyTopups(transaction: Connection, compare: Compare): Promise<void> {
  let after = ''
  for (;;) {
    const rows = await transaction
      .selectFrom('topups')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(rowsPage)
      .execute()
    const topups = rows.map(toTopup)
    const [first, last] = [topups[0], topups[topups.length - 1]]
    if (first === undefined || last === undefined) return
    const paid = await sumsOf(transaction, topupReferences.paid, first, last)
    const refunded = await sumsOf(transaction, topupReferences.refund, first, last)
    const disputed = await sumsOf(transaction, topupReferences.dispute, first, last)
    for (const { id, paidPico, refundedPico, disputedPico } of topups) {
      compare(`what was paid of ${id}`, String(paid.get(id) ?? 0n), String(paidPico))
      compare(`what was refunded of ${id}`, String(-(refunded.get(id) ?? 0n)), String(refundedPico))
      compare(`what is disputed of ${id}`, String(-(disputed.get(id) ?? 0n)), String(disputedPico))
    }
    after = last.id
  }
}

/** By top-up: what entries with these references gave, minus what they took. */
async function sumsOf(
  transaction: Connection,
  prefix: string,
  first: Topup,
  last: Topup,
): Promise<Map<string, bigint>> {
  const rows = await transaction
    .selectFrom('ledger_transfers')
    .select([
      sql<string>`substr(reference, ${sql.lit(prefix.length + 1)}, ${sql.lit(identifierLength)})`.as(
        'topup_id',
      ),
      'kind',
      highSum('amount_pico').as('high'),
      lowSum('amount_pico').as('low'),
    ])
    .where('reference', '>=', `${prefix}${first.id}`)
    // `;` follows `:` in ASCII, after which a reference continues.
    .where('reference', '<', `${prefix}${last.id};`)
    .groupBy(['topup_id', 'kind'])
    .execute()
  const sums = new Map<string, bigint>()
  for (const { topup_id: id, kind, ...sum } of rows) {
    const changePico = kind === 'refund' ? -joinSum(sum) : joinSum(sum)
    sums.set(id, (sums.get(id) ?? 0n) + changePico)
  }
  return sums
}
