import type { Delivery, DeliveryAttempt, DeliveryFilter, DeliveryStore } from '@turnpike/notify'
import { engineOf } from '../database/engine.ts'
import { cursorsOf, pageOf } from '../database/cursor.ts'
import type { Database } from '../database/database.ts'
import { publish } from '../notices.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { claimDue } from './claim-due.ts'
import { recordAttempt } from './record-attempt.ts'
import { isOf, isToTarget } from './conditions.ts'
import { deliveryMs } from './raise.ts'

export function deliveryStore(database: Database): DeliveryStore {
  const { write, read } = database
  return {
    async list(accountId, filter, { limit, cursor }) {
      const cursors = cursorsOf(`deliveries:${accountId ?? 'operator'}`, ['text'])
      const rows = await deliveries(read, accountId, filter)
        .$if(cursor !== undefined, (query) =>
          query.where('event_deliveries.id', '<', cursors.decode(cursor!)[0]),
        )
        .orderBy('event_deliveries.id', 'desc')
        .limit(limit + 1)
        .execute()
      return pageOf(rows.map(toDelivery), limit, cursors, ({ id }) => [id])
    },
    find: (accountId, id) => find(write, accountId, id),
    async attempts(id) {
      const rows = await write
        .selectFrom('delivery_attempts')
        .selectAll()
        .where('delivery_id', '=', id)
        .orderBy('number')
        .execute()
      return rows.map((row): DeliveryAttempt => ({
        number: Number(row.number),
        atMs: Number(row.at_ms),
        status: row.status === null ? null : Number(row.status),
        durationMs: Number(row.duration_ms),
        error: row.error,
        answerStart: row.answer_start,
      }))
    },
    redeliver: (accountId, id, nowMs) => redeliver(database, accountId, id, nowMs),
    async waiting() {
      const { count, deadline } = await read
        .selectFrom('event_deliveries')
        .select((select) => [
          select.fn.countAll<bigint>().as('count'),
          select.fn.min('deadline_ms').as('deadline'),
        ])
        .where('state', '=', 'pending')
        .executeTakeFirstOrThrow()
      return { count: Number(count), sinceMs: deadline === null ? null : Number(deadline) - deliveryMs }
    },
    claimDue: (claim) => inTransaction(database, (transaction) => claimDue(transaction, claim)),
    conclude: (nodeId, due, result, nowMs) =>
      inTransaction(database, (transaction) => recordAttempt(transaction, { nodeId, due, result, nowMs })),
  }
}

async function redeliver(
  database: Database,
  accountId: string | null,
  id: string,
  nowMs: number,
): ReturnType<DeliveryStore['redeliver']> {
  return inTransaction(database, async (transaction) => {
    const known = await find(transaction, accountId, id)
    if (known === undefined) return undefined
    const target = await transaction
      .selectFrom('event_targets')
      .select('status')
      // If a member has unsubscribed, the delivery is cancelled when it is due.
      .where('id', '=', known.targetId)
      .$if(engineOf(transaction) === 'postgres', (query) => query.forKeyShare())
      .executeTakeFirst()
    if (target?.status !== 'active') return 'inactive'
    const { numUpdatedRows } = await transaction
      .updateTable('event_deliveries')
      .set({
        state: 'pending',
        tries: 0,
        next_at_ms: nowMs,
        deadline_ms: nowMs + deliveryMs,
        // Invalidates the result of an attempt that is in progress.
        claimed_by: null,
        claim_until_ms: null,
      })
      .where('id', '=', id)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return undefined
    await publish(transaction, { about: 'deliveries' })
    return (await find(transaction, accountId, id))!
  })
}

function deliveries(connection: Connection, accountId: string | null, filter: DeliveryFilter) {
  const { targetId, eventId, state } = filter
  return connection
    .selectFrom('event_deliveries')
    .innerJoin('events', 'events.id', 'event_deliveries.event_id')
    .innerJoin('event_targets', 'event_targets.id', 'event_deliveries.target_id')
    .select([
      'event_deliveries.id',
      'event_id',
      'target_id',
      'parent_id',
      'member_id',
      'state',
      'attempts',
      'next_at_ms',
      'delivered_at_ms',
      'type',
      'occurred_at_ms',
    ])
    .where('event_deliveries.account_id', ...isOf(accountId))
    .$if(targetId !== undefined, (query) => query.where(isToTarget(targetId!)))
    .$if(eventId !== undefined, (query) => query.where('event_id', '=', eventId!))
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
}

async function find(
  connection: Connection,
  accountId: string | null,
  id: string,
): Promise<Delivery | undefined> {
  const row = await deliveries(connection, accountId, {})
    .where('event_deliveries.id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : toDelivery(row)
}

function toDelivery(
  row: Awaited<ReturnType<ReturnType<typeof deliveries>['executeTakeFirstOrThrow']>>,
): Delivery {
  return {
    id: row.id,
    eventId: row.event_id,
    eventType: row.type,
    targetId: row.parent_id ?? row.target_id,
    memberId: row.parent_id === null ? null : row.member_id,
    state: row.state as Delivery['state'],
    attempts: Number(row.attempts),
    nextAtMs: Number(row.next_at_ms),
    deliveredAtMs: row.delivered_at_ms === null ? null : Number(row.delivered_at_ms),
    createdAtMs: Number(row.occurred_at_ms),
  }
}
