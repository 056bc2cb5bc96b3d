import type { DueTopup } from '@turnpike/billing'
import { engineOf } from '../database/engine.ts'
import type { Connection } from '../schema.ts'
import { toTopup } from './row.ts'

const soonestMs = 5 * 60 * 1000
const latestMs = 6 * 60 * 60 * 1000
/** The wait grows with the age: the older a session, the less likely it is to be paid just now. */
const ageDivisor = 4

/** Each row goes to one caller: rows that another transaction claims are skipped. */
export async function claimDue(transaction: Connection, limit: number, nowMs: number): Promise<DueTopup[]> {
  const due = await transaction
    .selectFrom('topups')
    .selectAll()
    .where('paid_pico', '=', 0n)
    .where('expired', '=', 0n)
    .where('session_id', 'is not', null)
    .where('ask_at_ms', '<=', BigInt(nowMs))
    .orderBy('ask_at_ms')
    .limit(limit)
    .$if(engineOf(transaction) === 'postgres', (query) => query.forUpdate().skipLocked())
    .execute()
  for (const { id, created_at_ms: createdAtMs } of due) {
    const waitMs = Math.floor((nowMs - Number(createdAtMs)) / ageDivisor)
    await transaction
      .updateTable('topups')
      .set({ asked_at_ms: nowMs, ask_at_ms: nowMs + Math.min(Math.max(waitMs, soonestMs), latestMs) })
      .where('id', '=', id)
      .execute()
  }
  const closed = await findClosedAccounts(transaction, [...new Set(due.map((row) => row.account_id))])
  return due.map((row) => ({ ...toTopup(row), isToEnd: closed.has(row.account_id) }))
}

async function findClosedAccounts(
  transaction: Connection,
  accountIds: readonly string[],
): Promise<Set<string>> {
  if (accountIds.length === 0) return new Set()
  const rows = await transaction
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', accountIds)
    .where('status', '=', 'closed')
    .execute()
  return new Set(rows.map(({ id }) => id))
}
