import type { Checkout, NewTopup, Topup, TopupStore } from '@turnpike/billing'
import { firstIdentifierAt, newIdentifier } from '@turnpike/protocol'
import type { ExpressionBuilder } from 'kysely'
import { cursorsOf, pageOf } from '../database/cursor.ts'
import type { Database } from '../database/database.ts'
import type { Connection, Schema } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { claimDue } from './claim-due.ts'
import { change } from './change.ts'
import { lifetimeTopup, toLifetimePico } from './lifetime.ts'
import { toTopup } from './row.ts'

export function topupStore(database: Database): TopupStore {
  const findBy = async (
    column: 'id' | 'session_id' | 'payment_id',
    value: string,
  ): Promise<Topup | undefined> => {
    const row = await database.write
      .selectFrom('topups')
      .selectAll()
      .where(column, '=', value)
      .executeTakeFirst()
    return row === undefined ? undefined : toTopup(row)
  }
  return {
    reserve: (topup, nowMs) => inTransaction(database, (transaction) => reserve(transaction, topup, nowMs)),
    attach: (id, checkout) => attach(database, id, checkout),
    find: (id) => findBy('id', id),
    findLink: (accountId, keyId) => findLink(database.write, accountId, keyId),
    findBySession: (sessionId) => findBy('session_id', sessionId),
    findByPayment: (paymentId) => findBy('payment_id', paymentId),
    async list(accountId, { limit, cursor }, { fromMs, toMs } = {}) {
      const cursors = cursorsOf(`topups:${accountId}`, ['text'])
      const rows = await database.read
        .selectFrom('topups')
        .selectAll()
        .where('account_id', '=', accountId)
        .where(isShown)
        .$if(fromMs !== undefined, (query) => query.where('id', '>=', firstIdentifierAt('top', fromMs!)))
        .$if(toMs !== undefined, (query) => query.where('id', '<', firstIdentifierAt('top', toMs!)))
        .$if(cursor !== undefined, (query) => query.where('id', '<', cursors.decode(cursor!)[0]))
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      return pageOf(rows.map(toTopup), limit, cursors, (row) => [row.id])
    },
    change: (id, decide, nowMs) =>
      inTransaction(database, (transaction) => change(transaction, id, decide, nowMs)),
    claimDue: (limit, nowMs) => inTransaction(database, (transaction) => claimDue(transaction, limit, nowMs)),
    async claim(id, notSinceMs, nowMs) {
      const result = await database.write
        .updateTable('topups')
        .set({ asked_at_ms: nowMs })
        .where('id', '=', id)
        .where('asked_at_ms', '<', BigInt(notSinceMs))
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async dropAbandoned(beforeMs) {
      await database.write
        .deleteFrom('topups')
        .where('session_id', 'is', null)
        .where('origin', '<>', 'auto')
        .where('paid_pico', '=', 0n)
        .where('created_at_ms', '<', BigInt(beforeMs))
        .execute()
    },
    lifetimePico: (accountId) => lifetimePico(database, accountId),
  }
}

/** A top-up without a checkout (`auto`) is shown only once it is paid. */
function isShown(expression: ExpressionBuilder<Schema, 'topups'>) {
  return expression.or([
    expression('session_id', 'is not', null),
    expression.and([expression('origin', '=', 'auto'), expression('paid_pico', '>', 0n)]),
  ])
}

async function findLink(
  connection: Connection,
  accountId: string,
  keyId: string | null,
): Promise<Topup | undefined> {
  const row = await connection
    .selectFrom('topups')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('origin', '=', 'link')
    .where((expression) =>
      keyId === null ? expression('key_id', 'is', null) : expression('key_id', '=', keyId),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : toTopup(row)
}

/** If two requests with the same idempotency key come at once, one fails; its retry finds the other's row. */
async function reserve(transaction: Connection, topup: NewTopup, nowMs: number): Promise<Topup> {
  if (topup.idempotencyKey !== null) {
    const first = await transaction
      .selectFrom('topups')
      .selectAll()
      .where('account_id', '=', topup.accountId)
      .where('idempotency_key', '=', topup.idempotencyKey)
      .executeTakeFirst()
    if (first !== undefined) return toTopup(first)
  }
  const { origin = 'checkout', savesMethod = false } = topup
  if (origin === 'link') {
    const last = await findLink(transaction, topup.accountId, topup.keyId)
    if (last !== undefined && last.paidPico === 0n && !last.expired) return last
  }
  const row = await transaction
    .insertInto('topups')
    .values({
      id: newIdentifier('top', nowMs),
      account_id: topup.accountId,
      key_id: topup.keyId,
      processor: topup.processor,
      amount_pico: topup.amountPico,
      idempotency_key: topup.idempotencyKey,
      created_at_ms: nowMs,
      asked_at_ms: 0,
      ask_at_ms: nowMs,
      origin,
      saves_method: savesMethod ? 'wanted' : 'no',
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toTopup(row)
}

async function attach(
  { write }: Database,
  id: string,
  { sessionId, url, expiresAtMs }: Checkout,
): Promise<Topup> {
  const row = await write
    .updateTable('topups')
    .set({ session_id: sessionId, checkout_url: url, expires_at_ms: expiresAtMs })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toTopup(row)
}

async function lifetimePico({ read }: Database, accountId: string): Promise<bigint> {
  const row = await read
    .selectFrom('accounts')
    .select(lifetimeTopup)
    .where('id', '=', accountId)
    .executeTakeFirst()
  return row === undefined ? 0n : toLifetimePico(row)
}
