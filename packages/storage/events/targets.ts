import type { EventTarget, NewTarget, TargetStore, TargetWithSecrets } from '@turnpike/notify'
import { sql, type Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import { engineOf } from '../database/engine.ts'
import type { Connection, Schema } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { cancelPending } from './cancel-pending.ts'
import { isOf } from './conditions.ts'
import { countPeople, everyMember, newUnsubscribeCode } from './member-targets.ts'
import { subscriptionStore } from './subscriptions.ts'

export function targetStore(database: Database): TargetStore {
  const { write } = database
  return {
    create: (target, most, nowMs) =>
      inTransaction(database, (transaction) => create(transaction, target, most, nowMs)),
    async list(accountId) {
      const rows = await write
        .selectFrom('event_targets')
        .selectAll()
        .where('account_id', ...isOf(accountId))
        .where('parent_id', 'is', null)
        .orderBy('id')
        .execute()
      return rows.map(toTarget)
    },
    async find(accountId, id) {
      const row = await ofAccount(write, accountId, id).executeTakeFirst()
      return row === undefined ? undefined : toTarget(row)
    },
    peopleOf: ({ accountId, roles }) =>
      roles === null || accountId === null
        ? Promise.resolve(null)
        : countPeople(database.read, accountId, roles),
    update: (accountId, id, { types, roles, status, ...changes }, nowMs) =>
      inTransaction(database, async (transaction) => {
        const row = await transaction
          .updateTable('event_targets')
          .set({
            ...changes,
            ...(types !== undefined && { types: JSON.stringify(types) }),
            ...(roles !== undefined && { roles: JSON.stringify(roles) }),
            ...(status !== undefined && { ...restart, status }),
            ...(status === 'disabled' && { disabled_reason: 'it was disabled manually' }),
            updated_at_ms: nowMs,
          })
          .where('id', '=', id)
          .where('account_id', ...isOf(accountId))
          .where('parent_id', 'is', null)
          // An address becomes active only through its code.
          .$if(status !== undefined, (query) => query.where('status', '<>', 'unconfirmed'))
          .returningAll()
          .executeTakeFirst()
        if (row === undefined) return undefined
        if (status === 'disabled') await cancelPending(transaction, id)
        if (status === 'active') await enableMembers(transaction, id)
        return toTarget(row)
      }),
    async remove(accountId, id) {
      const { numDeletedRows } = await write
        .deleteFrom('event_targets')
        .where('id', '=', id)
        .where('account_id', ...isOf(accountId))
        .where('parent_id', 'is', null)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    ...secretsOf(database),
    ...subscriptionStore(database),
  }
}

/** The signing secrets of webhooks, and the codes that confirm addresses. */
function secretsOf({ write }: Database): Pick<TargetStore, 'replaceSecret' | 'renewCode' | 'confirm'> {
  return {
    async replaceSecret(accountId, id, secret, previousUntilMs, nowMs) {
      const row = await write
        .updateTable('event_targets')
        .set({
          secret,
          previous_secret: sql<string>`secret`,
          previous_until_ms: previousUntilMs,
          updated_at_ms: nowMs,
        })
        .where('id', '=', id)
        .where('account_id', ...isOf(accountId))
        .where('kind', '=', 'webhook')
        .returningAll()
        .executeTakeFirst()
      return row === undefined ? undefined : toTarget(row)
    },
    async renewCode(id, confirmHash, notSinceMs, nowMs) {
      const { numUpdatedRows } = await write
        .updateTable('event_targets')
        .set({ confirm_hash: confirmHash, confirm_sent_ms: nowMs })
        .where('id', '=', id)
        .where('status', '=', 'unconfirmed')
        .where('confirm_sent_ms', '<=', BigInt(notSinceMs))
        // A target whose reader has unsubscribed stays as it is.
        .where('disabled_reason', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async confirm(confirmHash, sinceMs, nowMs) {
      const row = await write
        .updateTable('event_targets')
        .set({ status: 'active', disabled_reason: null, confirm_hash: null, updated_at_ms: nowMs })
        .where('confirm_hash', '=', confirmHash)
        .where('status', '=', 'unconfirmed')
        .where('confirm_sent_ms', '>', BigInt(sinceMs))
        .returningAll()
        .executeTakeFirst()
      return row === undefined ? undefined : toTarget(row)
    },
  }
}

/** Resets the failures of a target that starts again. */
const restart = { disabled_reason: null, failures_in_row: 0, failing_since_ms: null }

function ofAccount(connection: Connection, accountId: string | null, id: string) {
  return connection
    .selectFrom('event_targets')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', ...isOf(accountId))
    .where('parent_id', 'is', null)
}

/** Enables members' targets that were disabled by failures, but not those whose reader has unsubscribed. */
async function enableMembers(transaction: Connection, parentId: string): Promise<void> {
  await transaction
    .updateTable('event_targets')
    .set({ ...restart, status: 'active' })
    .where('parent_id', '=', parentId)
    .where('status', '=', 'disabled')
    .execute()
}

/** Locks the account's row, so that concurrent creations count each other. */
async function create(
  transaction: Connection,
  target: NewTarget,
  most: number,
  nowMs: number,
): Promise<EventTarget | undefined> {
  const { accountId } = target
  if (accountId !== null && engineOf(transaction) === 'postgres')
    await transaction
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', accountId)
      .forNoKeyUpdate()
      .execute()
  const { count } = await transaction
    .selectFrom('event_targets')
    .select((select) => select.fn.countAll<bigint>().as('count'))
    .where('account_id', ...isOf(accountId))
    .where('parent_id', 'is', null)
    .executeTakeFirstOrThrow()
  return count >= BigInt(most) ? undefined : insertTarget(transaction, target, nowMs)
}

export async function insertTarget(
  transaction: Connection,
  { id, accountId, kind, name, url, email, roles, types, secret, status, confirmHash }: NewTarget,
  nowMs: number,
): Promise<EventTarget> {
  const row = await transaction
    .insertInto('event_targets')
    .values({
      id,
      account_id: accountId,
      kind,
      name,
      url,
      email,
      ...(roles !== null && { member_id: everyMember, roles: JSON.stringify(roles) }),
      types: JSON.stringify(types),
      secret,
      ...(kind === 'mail' && { unsubscribe_code: newUnsubscribeCode() }),
      status,
      confirm_hash: confirmHash,
      confirm_sent_ms: confirmHash === null ? null : nowMs,
      created_at_ms: nowMs,
      updated_at_ms: nowMs,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toTarget(row)
}

type TargetRow = Selectable<Schema['event_targets']>

function toTarget(row: TargetRow): EventTarget {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind as EventTarget['kind'],
    name: row.name,
    url: row.url,
    email: row.email,
    roles: row.roles === null ? null : (JSON.parse(row.roles) as EventTarget['roles']),
    types: JSON.parse(row.types) as EventTarget['types'],
    status: row.status as EventTarget['status'],
    disabledReason: row.disabled_reason,
    previousUntilMs: row.previous_until_ms === null ? null : Number(row.previous_until_ms),
    failuresInRow: Number(row.failures_in_row),
    createdAtMs: Number(row.created_at_ms),
    updatedAtMs: Number(row.updated_at_ms),
  }
}

export function toTargetWithSecrets(row: TargetRow): TargetWithSecrets {
  const { secret, previous_secret: previousSecret, parent_id: parentId } = row
  return { ...toTarget(row), secret, previousSecret, parentId }
}
