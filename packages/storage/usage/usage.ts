import type { RequestRecord, UsageFilter, UsageStore } from '@turnpike/gateway'
import { cursorsOf, pageOf } from '../database/cursor.ts'
import type { Database } from '../database/database.ts'
import { requestsWithPrices, toRecord } from '../requests/request-row.ts'
import { listRequests } from './requests.ts'
import { breakdown } from './breakdown.ts'
import { keysOf } from './key-owners.ts'
import { summary } from './totals.ts'

const exportPageRows = 500

export function usageStore(database: Pick<Database, 'read'>): UsageStore {
  const { read } = database
  return {
    summary: (filter) => summary(read, filter),
    breakdown: (filter, by, page) => breakdown(read, filter, by, page),
    async requests(filter, { limit, cursor }) {
      const cursors = cursorsOf(`requests:${filter.accountId ?? ''}`, ['number', 'text'])
      const [startedAtMs, id] = cursor === undefined ? [] : cursors.decode(cursor)
      const beyond = id === undefined ? undefined : { id, startedAtMs: startedAtMs! }
      const rows = await listRequests(read, filter, { order: 'desc', limit: limit + 1, beyond })
      return pageOf(rows, limit, cursors, (row) => [row.startedAtMs, row.id])
    },
    async request(accountId, requestId, memberId) {
      const row = await requestsWithPrices(read)
        .$if(accountId !== undefined, (query) => query.where('requests.account_id', '=', accountId!))
        .where('requests.id', '=', requestId)
        .$if(memberId !== undefined, (query) =>
          query.where('requests.key_id', 'in', keysOf({ memberId: memberId! })!),
        )
        .executeTakeFirst()
      return row === undefined ? undefined : toRecord(row)
    },
    export: (filter) => exportRows(database, filter),
  }
}

/** Between two pages the connection is free for others. */
async function* exportRows(
  { read }: Pick<Database, 'read'>,
  filter: UsageFilter,
): AsyncGenerator<RequestRecord> {
  let beyond: RequestRecord | undefined
  for (;;) {
    const records = await listRequests(read, filter, { order: 'asc', limit: exportPageRows, beyond })
    yield* records
    if (records.length < exportPageRows) return
    beyond = records[records.length - 1]
  }
}
