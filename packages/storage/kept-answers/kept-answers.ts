import { setTimeout as delay } from 'node:timers/promises'
import type { FoundAnswer, KeptAnswerStore, SealedAnswer } from '@turnpike/gateway'
import { sql, type Kysely, type Selectable } from 'kysely'
import type { Database } from '../database.ts'
import type { KeptAnswerTable, Schema } from '../schema.ts'
import { inTransaction } from '../transaction.ts'
import { findItems, indexItems } from './kept-items.ts'

/** Few enough that others hardly wait for one transaction. */
const rowsAtOnce = 100
/** Between two steps the writing connection is left to finished requests. */
const pauseMs = 20

export function keptAnswerStore(database: Pick<Database, 'write'>): KeptAnswerStore {
  return {
    write: (answers, mostBytes) =>
      inTransaction(database, (transaction) => write(transaction, answers, mostBytes)),
    async find(accountId, id, nowMs) {
      // Not from the connection for long reads: a list of a million requests must not be waited for.
      const row = await database.write
        .selectFrom('kept_answers')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('expires_at_ms', '>', BigInt(nowMs))
        .executeTakeFirst()
      return row === undefined ? undefined : toAnswer(row)
    },
    findItems: (accountId, wanted, nowMs) => findItems(database.write, wanted, { accountId, nowMs }),
    drop: (accountId, id, nowMs) =>
      inTransaction(database, async (transaction) => {
        const [dropped] = await dropRows(transaction, [id], accountId)
        return dropped !== undefined && dropped.expires_at_ms > BigInt(nowMs)
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
  transaction: Kysely<Schema>,
  answers: readonly SealedAnswer[],
  mostBytes: number,
): Promise<number> {
  const closed = await closedOf(transaction, answers)
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
  const added = new Map<string, bigint>()
  for (const { account_id: id, sealed_bytes: bytes } of written) added.set(id, (added.get(id) ?? 0n) + bytes)
  let evicted = 0
  // In one order, so that nodes which write for the same accounts do not wait for each other.
  for (const accountId of [...added.keys()].toSorted()) {
    const total = await addToTotal(transaction, accountId, added.get(accountId)!)
    evicted += await dropOldest(transaction, accountId, total - BigInt(mostBytes))
  }
  return evicted
}

async function closedOf(
  transaction: Kysely<Schema>,
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

/** @returns the new total */
async function addToTotal(transaction: Kysely<Schema>, accountId: string, bytes: bigint): Promise<bigint> {
  const { bytes: total } = await transaction
    .insertInto('kept_answer_totals')
    .values({ account_id: accountId, bytes })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ bytes: sql`kept_answer_totals.bytes + excluded.bytes` }),
    )
    .returning('bytes')
    .executeTakeFirstOrThrow()
  return total
}

/** Drops the oldest of an account until so many bytes are free again; answers with how many went. */
async function dropOldest(
  transaction: Kysely<Schema>,
  accountId: string,
  bytesToFree: bigint,
): Promise<number> {
  let left = bytesToFree
  let dropped = 0
  while (left > 0n) {
    const oldest = await transaction
      .selectFrom('kept_answers')
      .select(['id', 'sealed_bytes'])
      .where('account_id', '=', accountId)
      .orderBy('created_at_ms')
      .orderBy('id')
      .limit(rowsAtOnce)
      .execute()
    if (oldest.length === 0) break
    const ids: string[] = []
    for (const { id, sealed_bytes: bytes } of oldest) {
      if (left <= 0n) break
      ids.push(id)
      left -= bytes
    }
    dropped += (await dropRows(transaction, ids)).length
  }
  return dropped
}

async function dropSome(transaction: Kysely<Schema>, nowMs: number): Promise<number> {
  const rows = await transaction
    .selectFrom('kept_answers')
    .select('id')
    .where('expires_at_ms', '<=', BigInt(nowMs))
    .orderBy('expires_at_ms')
    .limit(rowsAtOnce)
    .execute()
  await dropRows(
    transaction,
    rows.map(({ id }) => id),
  )
  return rows.length
}

async function dropClosed(database: Pick<Database, 'write'>, signal?: AbortSignal): Promise<void> {
  for (const accountId of await closedWithAnswers(database)) {
    if (signal?.aborted === true) return
    await inTransaction(database, (transaction) => dropAnswersOf(transaction, accountId))
  }
}

/** A node may have written for an account that was being closed. */
async function closedWithAnswers({ write }: Pick<Database, 'write'>): Promise<string[]> {
  const rows = await write
    .selectFrom('kept_answer_totals')
    .innerJoin('accounts', 'accounts.id', 'kept_answer_totals.account_id')
    .select('accounts.id')
    .where('accounts.status', '=', 'closed')
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes rows, of that account alone where one is named, and takes them off their accounts' totals. */
async function dropRows(
  transaction: Kysely<Schema>,
  ids: readonly string[],
  accountId?: string,
): Promise<Pick<Selectable<KeptAnswerTable>, 'account_id' | 'sealed_bytes' | 'expires_at_ms'>[]> {
  if (ids.length === 0) return []
  const dropped = await transaction
    .deleteFrom('kept_answers')
    .where('id', 'in', ids)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
    .returning(['account_id', 'sealed_bytes', 'expires_at_ms'])
    .execute()
  const freed = new Map<string, bigint>()
  for (const { account_id: id, sealed_bytes: bytes } of dropped) freed.set(id, (freed.get(id) ?? 0n) + bytes)
  for (const id of [...freed.keys()].toSorted()) await addToTotal(transaction, id, -freed.get(id)!)
  return dropped
}

/** All that is kept of an account that was closed just now. */
export async function dropAnswersOf(transaction: Kysely<Schema>, accountId: string): Promise<void> {
  await transaction.deleteFrom('kept_answers').where('account_id', '=', accountId).execute()
  await transaction.deleteFrom('kept_answer_totals').where('account_id', '=', accountId).execute()
}

function toRow(answer: SealedAnswer) {
  return {
    id: answer.id,
    account_id: answer.accountId,
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
