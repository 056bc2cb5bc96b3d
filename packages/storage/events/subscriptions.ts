import type { Subscription, TargetStore } from '@turnpike/notify'
import type { Database } from '../database/database.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { cancelPending } from './cancel-pending.ts'
import { raise } from './raise.ts'

/** The reason of a target that its reader has disabled; only its reader can enable it again. */
const unsubscribed = 'the recipient has unsubscribed'

/** The choices of a mail's reader, made with the code of its links. */
export function subscriptionStore(
  database: Database,
): Pick<TargetStore, 'findByUnsubscribeCode' | 'subscribe'> {
  const { write } = database
  return {
    findByUnsubscribeCode: (code) => find(write, code),
    subscribe: (code, wantsMail, nowMs) =>
      inTransaction(database, async (transaction) => {
        const changed = await transaction
          .updateTable('event_targets')
          .set(
            wantsMail
              ? { status: 'active', disabled_reason: null, confirm_hash: null, updated_at_ms: nowMs }
              : {
                  status: 'unconfirmed',
                  disabled_reason: unsubscribed,
                  confirm_hash: null,
                  updated_at_ms: nowMs,
                },
          )
          .where('unsubscribe_code', '=', code)
          .$if(wantsMail, (query) =>
            query.where('status', '=', 'unconfirmed').where('disabled_reason', '=', unsubscribed),
          )
          .$if(!wantsMail, (query) => query.where('status', '<>', 'unconfirmed'))
          .returning(['id', 'account_id', 'name', 'parent_id'])
          .executeTakeFirst()
        if (changed !== undefined && !wantsMail) {
          await cancelPending(transaction, changed.id)
          // If one of several members unsubscribes, it concerns nobody else.
          if (changed.parent_id === null)
            await raise(transaction, {
              type: 'webhook.disabled',
              accountId: changed.account_id,
              dedupeKey: null,
              occurredAtMs: nowMs,
              data: {
                object: 'event_target',
                target_id: changed.id,
                name: changed.name,
                reason: unsubscribed,
              },
            })
        }
        return find(transaction, code)
      }),
  }
}

async function find(connection: Connection, code: string): Promise<Subscription | undefined> {
  const row = await connection
    .selectFrom('event_targets')
    .leftJoin('accounts', 'accounts.id', 'event_targets.account_id')
    .select(['event_targets.account_id', 'event_targets.status', 'accounts.kind', 'accounts.display_name'])
    .where('unsubscribe_code', '=', code)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const name = row.kind === 'organization' ? row.display_name : null
  return {
    name: name ?? row.account_id ?? 'this gateway',
    accountId: row.account_id,
    isSubscribed: row.status === 'active',
  }
}
