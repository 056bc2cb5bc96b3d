import type { RequestRecord, UsageFilter, UsageStore } from '@turnpike/gateway'
import { sql, type Kysely } from 'kysely'
import { cursorsOf, pageOf } from '../cursor.ts'
import type { Database } from '../database.ts'
import { requestsWithPrices, toRecord } from '../request-row.ts'
import type { Schema } from '../schema.ts'
import { matches } from './filter.ts'
import { breakdown, summary } from './totals.ts'

const exportPageRows = 500

export function usageStore(database: Database): UsageStore {
  const { read } = database
  return {
    summary: (filter) => summary(read, filter),
    breakdown: (filter, by) => breakdown(database.engine, read, filter, by),
    async requests(filter, { limit, cursor }) {
      const cursors = cursorsOf(`requests:${filter.accountId ?? ''}`, ['number', 'text'])
      let query = requestsWithPrices(read).where(matches(filter))
      if (cursor !== undefined) {
        const [startedAtMs, id] = cursors.decode(cursor)
        query = query.where(sql<boolean>`(requests.started_at_ms, requests.id) < (${startedAtMs}, ${id})`)
      }
      const rows = await query
        .orderBy('requests.started_at_ms', 'desc')
        .orderBy('requests.id', 'desc')
        .limit(limit + 1)
        .execute()
      return pageOf(rows.map(toRecord), limit, cursors, (row) => [row.startedAtMs, row.id])
    },
    async request(accountId, requestId) {
      const row = await requestsWithPrices(read)
        .$if(accountId !== undefined, (query) => query.where('requests.account_id', '=', accountId!))
        .where('requests.id', '=', requestId)
        .executeTakeFirst()
      return row === undefined ? undefined : toRecord(row)
    },
    export: (filter) => exportRows(read, filter),
  }
}

/** Between two pages the connection is free for others. */
async function* exportRows(connection: Kysely<Schema>, filter: UsageFilter): AsyncGenerator<RequestRecord> {
  let last: RequestRecord | undefined
  for (;;) {
    let query = requestsWithPrices(connection).where(matches(filter))
    if (last !== undefined)
      query = query.where(
        sql<boolean>`(requests.started_at_ms, requests.id) > (${last.startedAtMs}, ${last.id})`,
      )
    const rows = await query
      .orderBy('requests.started_at_ms')
      .orderBy('requests.id')
      .limit(exportPageRows)
      .execute()
    const records = rows.map(toRecord)
    yield* records
    if (rows.length < exportPageRows) return
    last = records[records.length - 1]
  }
}
