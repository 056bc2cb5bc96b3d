import type { DeliveryClaim, DueDelivery } from '@turnpike/notify'
import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import { toEvent } from './events.ts'
import { toTargetWithSecrets } from './targets.ts'

/** Looked at for each that is claimed: others may be of targets that have enough under way. */
const lookedAtPerClaim = 16

/** Each row goes to one node: its claim is an UPDATE that only one of them can make. */
export async function claimDue(transaction: Kysely<Schema>, claim: DeliveryClaim): Promise<DueDelivery[]> {
  const { limit, perTarget, busy, nowMs } = claim
  const full = [...busy].filter(([, count]) => count >= perTarget).map(([targetId]) => targetId)
  const rows = await dueDeliveries(transaction, nowMs)
    .select(['id', 'target_id'])
    .$if(full.length > 0, (query) => query.where('target_id', 'not in', full))
    .orderBy('next_at_ms')
    .limit(limit * lookedAtPerClaim)
    .execute()
  const counts = new Map(busy)
  const ids: string[] = []
  for (const { id, target_id: targetId } of rows) {
    const count = counts.get(targetId) ?? 0
    if (count >= perTarget || ids.length === limit) continue
    counts.set(targetId, count + 1)
    ids.push(id)
  }
  const claimed: DueDelivery[] = []
  // In one order, so that nodes which claim the same ones do not wait for each other.
  for (const id of ids.toSorted()) {
    const one = await claimOne(transaction, id, claim)
    if (one !== undefined) claimed.push(one)
  }
  return claimed
}

function dueDeliveries(transaction: Kysely<Schema>, nowMs: number) {
  return transaction
    .selectFrom('event_deliveries')
    .where('state', '=', 'pending')
    .where('next_at_ms', '<=', BigInt(nowMs))
    .where((where) =>
      where.or([where('claim_until_ms', 'is', null), where('claim_until_ms', '<=', BigInt(nowMs))]),
    )
}

async function claimOne(
  transaction: Kysely<Schema>,
  id: string,
  { nodeId, nowMs, untilMs }: DeliveryClaim,
): Promise<DueDelivery | undefined> {
  const row = await transaction
    .updateTable('event_deliveries')
    .set({ claimed_by: nodeId, claim_until_ms: untilMs })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where('next_at_ms', '<=', BigInt(nowMs))
    .where((where) =>
      where.or([where('claim_until_ms', 'is', null), where('claim_until_ms', '<=', BigInt(nowMs))]),
    )
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const event = await transaction
    .selectFrom('events')
    .selectAll()
    .where('id', '=', row.event_id)
    .executeTakeFirstOrThrow()
  const target = await transaction
    .selectFrom('event_targets')
    .selectAll()
    .where('id', '=', row.target_id)
    .executeTakeFirstOrThrow()
  return {
    id,
    claimUntilMs: untilMs,
    tries: Number(row.tries),
    deadlineMs: Number(row.deadline_ms),
    event: toEvent(event),
    target: toTargetWithSecrets(target),
  }
}
