import type { AttemptResult, DueDelivery } from '@turnpike/notify'
import { sql } from 'kysely'
import { engineOf } from '../database/engine.ts'
import type { Connection } from '../schema.ts'
import { deliveryMs, raise } from './raise.ts'
import { cancelPending } from './cancel-pending.ts'

/** A target is disabled after this many failed events in a row… */
const mostFailures = 10
/** …over at least this much time. */
const failingForMs = 24 * 60 * 60 * 1000

interface AttemptOutcome {
  nodeId: string
  due: DueDelivery
  result: AttemptResult
  nowMs: number
}

/** Records how an attempt ended, if the claim that it was made under still holds. */
export async function recordAttempt(
  transaction: Connection,
  { nodeId, due, result, nowMs }: AttemptOutcome,
): Promise<boolean> {
  const { attempt, outcome } = result
  // Locks the target first, in the same order as a deletion, which locks the target before its deliveries.
  // Its parent comes before that, with a shared lock, because many targets have the same parent.
  if (due.target.parentId !== null)
    await transaction
      .selectFrom('event_targets')
      .select('id')
      .where('id', '=', due.target.parentId)
      .$if(engineOf(transaction) === 'postgres', (query) => query.forShare())
      .execute()
  await transaction
    .selectFrom('event_targets')
    .select('id')
    .where('id', '=', due.target.id)
    .$if(engineOf(transaction) === 'postgres', (query) => query.forNoKeyUpdate())
    .execute()
  const row = await transaction
    .updateTable('event_deliveries')
    .set({
      state: outcome.kind === 'again' ? 'pending' : outcome.kind === 'delivered' ? 'delivered' : 'failed',
      attempts: sql<bigint>`attempts + 1`,
      tries: sql<bigint>`tries + 1`,
      claimed_by: null,
      claim_until_ms: null,
      ...(outcome.kind === 'again' && { next_at_ms: outcome.atMs }),
      ...(outcome.kind === 'delivered' && { delivered_at_ms: nowMs }),
    })
    .where('id', '=', due.id)
    .where('claimed_by', '=', nodeId)
    .where('claim_until_ms', '=', BigInt(due.claimUntilMs))
    .returning('attempts')
    .executeTakeFirst()
  if (row === undefined) return false
  await transaction
    .insertInto('delivery_attempts')
    .values({
      delivery_id: due.id,
      number: row.attempts,
      at_ms: attempt.atMs,
      node_id: nodeId,
      status: attempt.status,
      duration_ms: attempt.durationMs,
      error: attempt.error,
      answer_start: attempt.answerStart,
    })
    .execute()
  if (outcome.kind === 'delivered') await restart(transaction, due)
  if (outcome.kind === 'failed') await countFailure(transaction, due, nowMs)
  if (outcome.kind === 'gone') await disable(transaction, due, 'the receiver returned 410 Gone', nowMs)
  return true
}

async function restart(transaction: Connection, { target }: DueDelivery): Promise<void> {
  await transaction
    .updateTable('event_targets')
    .set({ failures_in_row: 0, failing_since_ms: null })
    .where('id', '=', target.id)
    .where('failures_in_row', '>', 0n)
    .execute()
}

async function countFailure(transaction: Connection, due: DueDelivery, nowMs: number): Promise<void> {
  const sinceMs = BigInt(due.deadlineMs - deliveryMs)
  const { failures_in_row: failures, failing_since_ms: failingSinceMs } = await transaction
    .updateTable('event_targets')
    .set({
      failures_in_row: sql<bigint>`failures_in_row + 1`,
      failing_since_ms: sql<bigint>`coalesce(failing_since_ms, ${sinceMs})`,
    })
    .where('id', '=', due.target.id)
    .returning(['failures_in_row', 'failing_since_ms'])
    .executeTakeFirstOrThrow()
  if (failures < BigInt(mostFailures) || nowMs - Number(failingSinceMs) < failingForMs) return
  await disable(transaction, due, `${failures} events in a row could not be delivered`, nowMs)
}

async function disable(
  transaction: Connection,
  { target }: DueDelivery,
  reason: string,
  nowMs: number,
): Promise<void> {
  const changed = await transaction
    .updateTable('event_targets')
    .set({ status: 'disabled', disabled_reason: reason, updated_at_ms: nowMs })
    .where('id', '=', target.id)
    .where('status', '=', 'active')
    .returning('id')
    .executeTakeFirst()
  if (changed === undefined) return
  await cancelPending(transaction, target.id)
  await raise(transaction, {
    type: 'webhook.disabled',
    accountId: target.accountId,
    dedupeKey: `target:${target.id}:${nowMs}`,
    occurredAtMs: nowMs,
    data: { object: 'event_target', target_id: target.parentId ?? target.id, name: target.name, reason },
  })
}
