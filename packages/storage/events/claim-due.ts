import { busyNames, type DeliveryClaim, type DueDelivery } from '@turnpike/notify'
import type { Connection } from '../schema.ts'
import { toEvent } from './events.ts'
import { recipientOf } from './member-targets.ts'
import { toTargetWithSecrets } from './targets.ts'

/** Rows read per row claimed: some belong to targets that already have enough deliveries in progress. */
const lookedAtPerClaim = 16

/** Each row goes to one node: the claim is an UPDATE that only one of them can make. */
export async function claimDue(transaction: Connection, claim: DeliveryClaim): Promise<DueDelivery[]> {
  const { limit, perTarget, perAccount, busy, nowMs } = claim
  const full = (most: number): string[] =>
    [...busy].filter(([, count]) => count >= most).map(([name]) => name)
  const [targets, accounts] = [full(perTarget), full(perAccount)]
  const rows = await dueDeliveries(transaction, nowMs)
    .select(['id', 'target_id', 'account_id'])
    .$if(targets.length > 0, (query) => query.where('target_id', 'not in', targets))
    .$if(accounts.length > 0, (query) =>
      query.where((where) =>
        where.or([where('account_id', 'is', null), where('account_id', 'not in', accounts)]),
      ),
    )
    .orderBy('next_at_ms')
    .limit(limit * lookedAtPerClaim)
    .execute()
  const counts = new Map(busy)
  const ids: string[] = []
  for (const { id, target_id: targetId, account_id: accountId } of rows) {
    const [target, account] = busyNames({ targetId, accountId }) as [string, string]
    const [ofTarget, ofAccount] = [counts.get(target) ?? 0, counts.get(account) ?? 0]
    if (ofTarget >= perTarget || ofAccount >= perAccount || ids.length === limit) continue
    counts.set(target, ofTarget + 1).set(account, ofAccount + 1)
    ids.push(id)
  }
  const claimed: DueDelivery[] = []
  // In a fixed order, so that nodes that claim the same rows do not deadlock.
  for (const id of ids.toSorted()) {
    const one = await claimOne(transaction, id, claim)
    if (one !== undefined) claimed.push(one)
  }
  return claimed
}

function dueDeliveries(transaction: Connection, nowMs: number) {
  return transaction
    .selectFrom('event_deliveries')
    .where('state', '=', 'pending')
    .where('next_at_ms', '<=', BigInt(nowMs))
    .where((where) =>
      where.or([where('claim_until_ms', 'is', null), where('claim_until_ms', '<=', BigInt(nowMs))]),
    )
}

async function claimOne(
  transaction: Connection,
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
  const dueEvent = toEvent(event)
  // The target was disabled while the event was being raised.
  const isActive = target.status === 'active'
  const recipient =
    target.kind === 'webhook' ? null : isActive ? await recipientOf(transaction, target, dueEvent) : undefined
  if (!isActive || recipient === undefined) {
    await cancel(transaction, id)
    return undefined
  }
  return {
    id,
    claimUntilMs: untilMs,
    tries: Number(row.tries),
    deadlineMs: Number(row.deadline_ms),
    event: dueEvent,
    target: toTargetWithSecrets(target),
    recipient,
  }
}

/** Cancels a delivery whose recipient no longer exists. */
async function cancel(transaction: Connection, id: string): Promise<void> {
  await transaction
    .updateTable('event_deliveries')
    .set({ state: 'cancelled', claimed_by: null, claim_until_ms: null })
    .where('id', '=', id)
    .execute()
}
