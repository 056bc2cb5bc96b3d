import { setTimeout as delay } from 'node:timers/promises'
import type { FoundAnswer, KeptAnswerStore, SealedAnswer } from '@turnpike/gateway'
import type { Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Connection } from '../schema.ts'
import { dropRows, makeRoom, rowsAtOnce, type SealedTable } from '../database/sealed-rows.ts'
import { inTransaction } from '../database/transaction.ts'
import { findItems, indexItems } from './kept-items.ts'
import { ownerText } from './owner-text.ts'
import type { KeptAnswerTable } from './tables.ts'

const table: SealedTable = { rows: 'kept_answers', id: 'id', totals: 'kept_answer_totals' }
/** Between two steps the writing connection is free for finished requests. */
const pauseMs = 20

export function keptAnswerStore(database: Pick<Database, 'write'>): KeptAnswerStore {
  return {
    write: (answers, mostBytes) =>
      inTransaction(database, (transaction) => write(transaction, answers, mostBytes)),
    async find(owner, id, nowMs) {
      // On the writing connection, because a long list on the reading one must not delay this.
      const row = await database.write
        .selectFrom('kept_answers')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', owner.accountId)
        .where('owner', '=', ownerText(owner))
        .where('expires_at_ms', '>', BigInt(nowMs))
        .executeTakeFirst()
      return row === undefined ? undefined : toAnswer(row)
    },
    findItems: (owner, wanted, nowMs) => findItems(database.write, wanted, { owner, nowMs }),
    drop: (owner, id, nowMs) =>
      inTransaction(database, async (transaction) => {
        const row = await transaction
          .selectFrom('kept_answers')
          .select('expires_at_ms')
          .where('id', '=', id)
          .where('account_id', '=', owner.accountId)
          .where('owner', '=', ownerText(owner))
          .executeTakeFirst()
        if (row === undefined) return false
        const dropped = await dropRows(transaction, table, [id], owner.accountId)
        return dropped.length > 0 && row.expires_at_ms > BigInt(nowMs)
      }),
    async dropExpired(nowMs, signal) {
      for (;;) {
        if (signal?.aborted === true) return
        const dropped = await inTransaction(database, (transaction) => dropSome(transaction, nowMs))
        if (dropped < rowsAtOnce) break
        await delay(pauseMs)
      }
      await dropClosed(database, signal)
    },
  }
}

async function write(
  transaction: Connection,
  answers: readonly SealedAnswer[],
  mostBytes: number,
): Promise<number> {
  const closed = await findClosedAccounts(transaction, answers)
  const rows = answers.filter(({ accountId }) => !closed.has(accountId)).map(toRow)
  if (rows.length === 0) return 0
  const written = await transaction
    .insertInto('kept_answers')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'account_id', 'sealed_bytes'])
    .execute()
  const isWritten = new Set(written.map(({ id }) => id))
  await indexItems(
    transaction,
    answers.filter(({ id }) => isWritten.has(id)),
  )
  return makeRoom(transaction, table, written, mostBytes)
}

async function findClosedAccounts(
  transaction: Connection,
  answers: readonly SealedAnswer[],
): Promise<ReadonlySet<string>> {
  const accountIds = [...new Set(answers.map(({ accountId }) => accountId))]
  const rows = await transaction
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', accountIds)
    .where('status', '=', 'closed')
    .execute()
  return new Set(rows.map(({ id }) => id))
}

async function dropSome(transaction: Connection, nowMs: number): Promise<number> {
  const rows = await transaction
    .selectFrom('kept_answers')
    .select('id')
    .where('expires_at_ms', '<=', BigInt(nowMs))
    .orderBy('expires_at_ms')
    .limit(rowsAtOnce)
    .execute()
  await dropRows(
    transaction,
    table,
    rows.map(({ id }) => id),
  )
  return rows.length
}

async function dropClosed(database: Pick<Database, 'write'>, signal?: AbortSignal): Promise<void> {
  for (const accountId of await findClosedWithAnswers(database)) {
    if (signal?.aborted === true) return
    await inTransaction(database, (transaction) => dropAnswersOf(transaction, accountId))
  }
}

/** A node may have written for an account while it was being closed. */
async function findClosedWithAnswers({ write }: Pick<Database, 'write'>): Promise<string[]> {
  const rows = await write
    .selectFrom('kept_answer_totals')
    .innerJoin('accounts', 'accounts.id', 'kept_answer_totals.account_id')
    .select('accounts.id')
    .where('accounts.status', '=', 'closed')
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes all kept answers of an account that was just closed. */
export async function dropAnswersOf(transaction: Connection, accountId: string): Promise<void> {
  await transaction.deleteFrom('kept_answers').where('account_id', '=', accountId).execute()
  await transaction.deleteFrom('kept_answer_totals').where('account_id', '=', accountId).execute()
}

function toRow(answer: SealedAnswer) {
  return {
    id: answer.id,
    account_id: answer.accountId,
    owner: ownerText(answer),
    created_at_ms: answer.createdAtMs,
    expires_at_ms: answer.expiresAtMs,
    key_name: answer.keyName,
    plain_bytes: answer.plainBytes,
    sealed_bytes: answer.answer.length + answer.input.length,
    answer: answer.answer,
    input: answer.input,
  }
}

function toAnswer(row: Selectable<KeptAnswerTable>): FoundAnswer {
  return {
    id: row.id,
    accountId: row.account_id,
    createdAtMs: Number(row.created_at_ms),
    expiresAtMs: Number(row.expires_at_ms),
    keyName: row.key_name,
    plainBytes: Number(row.plain_bytes),
    answer: row.answer,
    input: row.input,
  }
}
