import type { Connection } from '../schema.ts'
import { isToTarget } from './conditions.ts'

/** Cancels the target's pending deliveries. */
export async function cancelPending(transaction: Connection, targetId: string): Promise<void> {
  await transaction
    .updateTable('event_deliveries')
    .set({ state: 'cancelled', claimed_by: null, claim_until_ms: null })
    .where(isToTarget(targetId))
    .where('state', '=', 'pending')
    .execute()
}
