import { forgetMethods } from '../auto-topups/settings.ts'
import type { Connection } from '../schema.ts'

/**
 * Of an account that is closed nothing is paid any more: payment methods are let go, and open checkouts are
 * due at once, for whoever asks about them to end them at their processor.
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
