import type { Event, NewEvent } from '@turnpike/notify'
import { newIdentifier } from '@turnpike/protocol'
import { engineOf } from '../database/engine.ts'
import { publish } from '../notices.ts'
import type { Connection } from '../schema.ts'
import { resolveTargets } from './member-targets.ts'

/** How long delivery of an event is attempted. */
export const deliveryMs = 24 * 60 * 60 * 1000

/**
 * Writes an event, and a delivery for each target of its account that subscribes to its type, in the
 * transaction of the change it reports: it is delivered if and only if that transaction commits. Call it
 * after all other statements of the transaction, because other events with the same dedupe key wait for its
 * end.
 * @returns undefined if an event with its dedupe key exists already
 */
export async function raise(transaction: Connection, event: NewEvent): Promise<Event | undefined> {
  const id = await insertEvent(transaction, event)
  if (id === undefined) return undefined
  const { accountId } = event
  const targets = await transaction
    .selectFrom('event_targets')
    .select(['id', 'account_id', 'name', 'types', 'roles'])
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .where('status', '=', 'active')
    .where('parent_id', 'is', null)
    .orderBy('id')
    // Waits for a target that is being deleted, and then no longer finds it; so the foreign key cannot fail.
    .$if(engineOf(transaction) === 'postgres', (query) => query.forKeyShare())
    .execute()
  const reachedIds: string[] = []
  for (const target of targets)
    if (subscribesTo(target.types, event.type))
      reachedIds.push(...(await resolveTargets(transaction, target, event.occurredAtMs)))
  await deliverTo(transaction, { ...event, id }, reachedIds)
  return { ...event, id }
}

/** @returns the deliveries, which are due at once */
export async function deliverTo(
  transaction: Connection,
  event: Event,
  targetIds: readonly string[],
): Promise<string[]> {
  if (targetIds.length === 0) return []
  const rows = targetIds.map((targetId) => deliveryRow(event, targetId))
  await transaction.insertInto('event_deliveries').values(rows).execute()
  await publish(transaction, { about: 'deliveries' })
  return rows.map(({ id }) => id)
}

/** @returns the event's identifier; undefined if its dedupe key is known */
export async function insertEvent(transaction: Connection, event: NewEvent): Promise<string | undefined> {
  const inserted = await transaction
    .insertInto('events')
    .values({
      id: newIdentifier('evt', event.occurredAtMs),
      account_id: event.accountId,
      type: event.type,
      dedupe_key: event.dedupeKey,
      occurred_at_ms: event.occurredAtMs,
      data: JSON.stringify(event.data),
    })
    .onConflict((conflict) => conflict.column('dedupe_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/** @param types JSON of the types that a target subscribes to */
function subscribesTo(types: string, type: string): boolean {
  const subscribed = JSON.parse(types) as string[]
  return subscribed.includes('*') || subscribed.includes(type)
}

function deliveryRow({ id: eventId, accountId, occurredAtMs }: Event, targetId: string) {
  return {
    id: newIdentifier('dlv', occurredAtMs),
    account_id: accountId,
    event_id: eventId,
    target_id: targetId,
    state: 'pending',
    next_at_ms: occurredAtMs,
    deadline_ms: occurredAtMs + deliveryMs,
  }
}
