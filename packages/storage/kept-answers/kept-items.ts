import type { AnswerOwner, KeptAnswerStore, SealedAnswer, WantedItems } from '@turnpike/gateway'
import { sql } from 'kysely'
import type { Connection } from '../schema.ts'
import { ownerText } from './owner-text.ts'

/** Far below the limit of values per statement on both engines. */
const rowsAtOnce = 1_000

/** Indexes items of answers by their ids. The answers must have been written in this transaction. */
export async function indexItems(
  transaction: Connection,
  answers: readonly Pick<SealedAnswer, 'id' | 'accountId' | 'itemIds'>[],
): Promise<void> {
  const rows = answers.flatMap(({ id, accountId, itemIds }) =>
    itemIds.map((item) => ({ account_id: accountId, item_id: item, answer_id: id })),
  )
  for (let at = 0; at < rows.length; at += rowsAtOnce)
    await transaction
      .insertInto('kept_items')
      .values(rows.slice(at, at + rowsAtOnce))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Stops reading at `mostBytes`: the sizes of all preceding answers are summed before any answer is read. */
export async function findItems(
  write: Connection,
  { itemIds, answerIds, mostBytes }: WantedItems,
  { owner, nowMs }: { owner: AnswerOwner; nowMs: number },
): ReturnType<KeptAnswerStore['findItems']> {
  const { accountId } = owner
  const rows = await write
    .with('named', (query) => {
      const byItem = query
        .selectFrom('kept_items')
        .select('answer_id as id')
        .where('account_id', '=', accountId)
        .where('item_id', 'in', itemIds)
      if (answerIds.length === 0) return byItem
      return byItem.union(query.selectFrom('kept_answers').select('id').where('id', 'in', answerIds))
    })
    .with('chosen', (query) =>
      query
        .selectFrom('kept_answers')
        .select([
          'id',
          sql<bigint>`sum(length(answer)) over (order by id) - length(answer)`.as('bytes_before'),
        ])
        .where('id', 'in', (within) => within.selectFrom('named').select('id'))
        .where('account_id', '=', accountId)
        .where('owner', '=', ownerText(owner))
        .where('expires_at_ms', '>', BigInt(nowMs)),
    )
    .selectFrom('chosen')
    .innerJoin('kept_answers', 'kept_answers.id', 'chosen.id')
    .select([
      'kept_answers.id',
      'account_id',
      'created_at_ms',
      'expires_at_ms',
      'key_name',
      'plain_bytes',
      'answer',
    ])
    .where('chosen.bytes_before', '<', BigInt(mostBytes))
    .orderBy('kept_answers.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    createdAtMs: Number(row.created_at_ms),
    expiresAtMs: Number(row.expires_at_ms),
    keyName: row.key_name,
    plainBytes: Number(row.plain_bytes),
    answer: row.answer,
  }))
}
