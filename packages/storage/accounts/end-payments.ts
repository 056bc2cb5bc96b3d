import { forgetMethods } from '../auto-topups/settings.ts'
import type { Connection } from '../schema.ts'

/**
 * Ends the payments of a closed account: its payment methods are released, and its open checkouts become due
 * at once, so that the next check ends them at their processor.
 */
export async function endPayments(transaction: Connection, accountId: string, nowMs: number): Promise<void> {
  await forgetMethods(transaction, accountId, nowMs)
  await transaction
    .updateTable('topups')
    .set({ ask_at_ms: nowMs })
    .where('account_id', '=', accountId)
    .where('paid_pico', '=', 0n)
    .where('expired', '=', 0n)
    .where('ask_at_ms', '>', BigInt(nowMs))
    .execute()
}
