import type { PriceHistoryEntry, PriceHistoryStore, PriceList } from '@turnpike/billing'
import { firstIdentifierAt, newIdentifier } from '@turnpike/protocol'
import type { Selectable } from 'kysely'
import { bulkInsert, type BulkColumn } from '../database/bulk.ts'
import { cursorsOf, pageOf } from '../database/cursor.ts'
import type { Database } from '../database/database.ts'
import type { Connection, Schema } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'

type Recorded = Parameters<PriceHistoryStore['record']>[0]

const cursors = cursorsOf('price changes', ['text'])

const columns: BulkColumn[] = [
  { name: 'id', type: 'text' },
  { name: 'model', type: 'text' },
  { name: 'price', type: 'text' },
  { name: 'before', type: 'text' },
  { name: 'after', type: 'text' },
  { name: 'source', type: 'text' },
  { name: 'version', type: 'text' },
  { name: 'node_id', type: 'text' },
  { name: 'created_at_ms', type: 'bigint' },
]

export function priceHistoryStore(database: Database): PriceHistoryStore {
  return {
    record: (list, nowMs) => inTransaction(database, (transaction) => record(transaction, list, nowMs)),
    async list({ model, fromMs, toMs }, { limit, cursor }) {
      const rows = await database.read
        .selectFrom('price_changes')
        .selectAll()
        .$if(model !== undefined, (query) => query.where('model', '=', model!))
        .$if(fromMs !== undefined, (query) => query.where('id', '>=', firstIdentifierAt('prc', fromMs!)))
        .$if(toMs !== undefined, (query) => query.where('id', '<', firstIdentifierAt('prc', toMs!)))
        .$if(cursor !== undefined, (query) => query.where('id', '<', cursors.decode(cursor!)[0]))
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      return pageOf(rows.map(toEntry), limit, cursors, ({ id }) => [id])
    },
  }
}

/** If two nodes bring the same list at once, the one that inserts its number records the changes. */
async function record(
  transaction: Connection,
  { version, prices, nodeId, sourceOf }: Recorded,
  nowMs: number,
): Promise<number> {
  const last = await transaction
    .selectFrom('price_lists')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const text = JSON.stringify(prices)
  if (last?.prices === text) return 0
  const number = (last?.number ?? 0n) + 1n
  const { numInsertedOrUpdatedRows: taken } = await transaction
    .insertInto('price_lists')
    .values({ number, version, prices: text, created_at_ms: nowMs })
    .onConflict((conflict) => conflict.column('number').doNothing())
    .executeTakeFirstOrThrow()
  if (taken === 0n) return 0
  await transaction.deleteFrom('price_lists').where('number', '<', number).execute()
  if (last === undefined) return 0
  const changes = changesBetween(JSON.parse(last.prices) as PriceList, prices)
  const values = changes.flatMap(({ model, price, before, after }) => {
    const id = newIdentifier('prc', nowMs)
    return [id, model, price, before, after, sourceOf(model), version, nodeId, nowMs]
  })
  await bulkInsert(transaction, { table: 'price_changes', columns, values, ignoreConflicts: false })
  return changes.length
}

type Change = Pick<PriceHistoryEntry, 'model' | 'price' | 'before' | 'after'>

/** Includes models that were added or removed. */
function changesBetween(before: PriceList, after: PriceList): Change[] {
  const models = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return models.flatMap((model) => {
    const [old, now] = [before[model] ?? {}, after[model] ?? {}]
    return [...new Set([...Object.keys(old), ...Object.keys(now)])]
      .filter((price) => old[price] !== now[price])
      .map((price) => ({ model, price, before: old[price] ?? null, after: now[price] ?? null }))
  })
}

function toEntry(row: Selectable<Schema['price_changes']>): PriceHistoryEntry {
  return {
    id: row.id,
    model: row.model,
    price: row.price,
    before: row.before,
    after: row.after,
    source: row.source,
    version: row.version,
    nodeId: row.node_id,
    atMs: Number(row.created_at_ms),
  }
}
