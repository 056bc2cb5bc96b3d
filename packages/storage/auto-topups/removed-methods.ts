import type { PaymentMethod, PaymentProcessorName } from '@turnpike/billing'
import { engineOf } from '../database/engine.ts'
import type { Connection } from '../schema.ts'
import { toPaymentMethod } from './rows.ts'

const soonestMs = 5 * 60 * 1000
const latestMs = 6 * 60 * 60 * 1000
/** The wait grows with the age: the longer removing has failed, the less likely it is to work now. */
const ageDivisor = 4

interface Claim {
  processor: PaymentProcessorName
  limit: number
  nowMs: number
}

/** Each row goes to one caller: rows that another transaction claims are skipped. */
export async function claimRemoved(
  transaction: Connection,
  { processor, limit, nowMs }: Claim,
): Promise<PaymentMethod[]> {
  const due = await transaction
    .selectFrom('payment_methods')
    .selectAll()
    .where('forget_at_ms', '<=', BigInt(nowMs))
    .where('processor', '=', processor)
    .orderBy('forget_at_ms')
    .limit(limit)
    .$if(engineOf(transaction) === 'postgres', (query) => query.forUpdate().skipLocked())
    .execute()
  for (const { id, removed_at_ms: removedAtMs } of due) {
    const waitMs = Math.floor((nowMs - Number(removedAtMs ?? 0n)) / ageDivisor)
    await transaction
      .updateTable('payment_methods')
      .set({ forget_at_ms: nowMs + Math.min(Math.max(waitMs, soonestMs), latestMs) })
      .where('id', '=', id)
      .execute()
  }
  return due.map(toPaymentMethod)
}
