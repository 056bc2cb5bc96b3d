import type { Event, EventStore, EventType } from '@turnpike/notify'
import { firstIdentifierAt } from '@turnpike/protocol'
import type { Selectable } from 'kysely'
import { cursorsOf, pageOf } from '../database/cursor.ts'
import type { Database } from '../database/database.ts'
import type { Schema } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { isOf, isToTarget } from './conditions.ts'
import { resolveTargets } from './member-targets.ts'
import { deliverTo, insertEvent, raise } from './raise.ts'

/** Few enough that raising an event hardly waits for the deletion. */
const rowsAtOnce = 200

export function eventStore(database: Database): EventStore {
  const { engine } = database
  return {
    async list(accountId, { limit, cursor }, type) {
      const cursors = cursorsOf(`events:${accountId ?? 'operator'}`, ['text'])
      const rows = await database.read
        .selectFrom('events')
        .selectAll()
        .where('account_id', ...isOf(accountId))
        .$if(type !== undefined, (query) => query.where('type', '=', type!))
        .$if(cursor !== undefined, (query) => query.where('id', '<', cursors.decode(cursor!)[0]))
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      return pageOf(rows.map(toEvent), limit, cursors, ({ id }) => [id])
    },
    async find(accountId, id) {
      const row = await database.write
        .selectFrom('events')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', ...isOf(accountId))
        .executeTakeFirst()
      return row === undefined ? undefined : toEvent(row)
    },
    raise: (event) => inTransaction(database, (transaction) => raise(transaction, event)),
    raiseFor: (targetId, event, most) =>
      inTransaction(database, async (transaction) => {
        const target = await transaction
          .selectFrom('event_targets')
          .select(['id', 'account_id', 'name', 'roles'])
          .where('id', '=', targetId)
          .where('parent_id', 'is', null)
          .where('account_id', ...isOf(event.accountId))
          .$if(engine === 'postgres', (query) => query.forKeyShare())
          .executeTakeFirst()
        if (target === undefined) return undefined
        const { count } = await transaction
          .selectFrom('event_deliveries')
          .select((select) => select.fn.countAll<bigint>().as('count'))
          .where(isToTarget(targetId))
          .where('state', '=', 'pending')
          .executeTakeFirstOrThrow()
        if (count >= BigInt(most)) return 'busy'
        const targetIds = await resolveTargets(transaction, target, event.occurredAtMs)
        if (targetIds.length === 0) return 'nobody'
        const id = await insertEvent(transaction, event)
        if (id === undefined) return undefined
        const [deliveryId] = await deliverTo(transaction, { ...event, id }, targetIds)
        return { deliveryId: deliveryId! }
      }),
    async dropBefore(timeMs) {
      const old = database.write
        .selectFrom('events')
        .select('id')
        .where('id', '<', firstIdentifierAt('evt', timeMs))
        // A budget without a period raises each of its thresholds only once, ever, so those events are kept.
        .where((where) =>
          where.or([where('dedupe_key', 'is', null), where('dedupe_key', 'not like', 'budget:%:t:%')]),
        )
        .orderBy('id')
        .limit(rowsAtOnce)
      const { numDeletedRows } = await database.write
        .deleteFrom('events')
        .where('id', 'in', old)
        .executeTakeFirst()
      return numDeletedRows === BigInt(rowsAtOnce)
    },
  }
}

export function toEvent(row: Selectable<Schema['events']>): Event {
  return {
    id: row.id,
    type: row.type as EventType,
    accountId: row.account_id,
    dedupeKey: row.dedupe_key,
    occurredAtMs: Number(row.occurred_at_ms),
    data: JSON.parse(row.data) as Event['data'],
  }
}
