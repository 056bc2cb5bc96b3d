import { setTimeout as delay } from 'node:timers/promises'
import type { LogDays, PromptLogStore, SealedLog, WrittenLogs } from '@turnpike/gateway'
import { sql, type Selectable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Connection } from '../schema.ts'
import { addToTotal, dropRows, makeRoom, rowsAtOnce, type SealedTable } from '../database/sealed-rows.ts'
import { inTransaction } from '../database/transaction.ts'
import { dayMs } from '../usage/period.ts'
import type { PromptLogTable } from './tables.ts'
import { selectWantedLogs } from './wanted-logs.ts'

const table: SealedTable = { rows: 'prompt_logs', id: 'request_id', totals: 'prompt_log_totals' }
/** Between two steps the writing connection is free for finished requests. */
const pauseMs = 20
/** How far the clocks of nodes may differ: a request soon after a deletion may have come before it. */
const clockSkewMs = 1_000

export function promptLogStore(database: Database): PromptLogStore {
  const { write, read } = database
  return {
    write: (logs, mostBytes) =>
      inTransaction(database, (transaction) => writeLogs(transaction, logs, mostBytes)),
    async find(accountId, requestId, days, nowMs) {
      const row = await selectReadableLog(write, accountId, requestId, days, nowMs)
        .selectAll('prompt_logs')
        .executeTakeFirst()
      return row && toLog(row)
    },
    async page(accountId, days, nowMs, { limit, after }) {
      const behind = after && [after.createdAtMs, after.requestId]
      const rows = await ofAccount(read, accountId, days, nowMs)
        .selectAll('prompt_logs')
        .$if(behind !== undefined, (query) =>
          query.where(
            sql<boolean>`(prompt_logs.created_at_ms, prompt_logs.request_id) > (${sql.join(behind!)})`,
          ),
        )
        .orderBy('prompt_logs.created_at_ms')
        .orderBy('prompt_logs.request_id')
        .limit(limit)
        .execute()
      return rows.flatMap((row) => toLog(row) ?? [])
    },
    async has(accountId, requestId, days, nowMs) {
      const found = await selectReadableLog(write, accountId, requestId, days, nowMs)
        .select('prompt_logs.request_id')
        .executeTakeFirst()
      return found !== undefined
    },
    drop: (of) => inTransaction(database, (transaction) => drop(transaction, of)),
    dropAll: (accountId, keyId, nowMs) => {
      const beforeMs = database.engine === 'sqlite' ? nowMs : nowMs + clockSkewMs
      return inTransaction(database, (transaction) => dropAll(transaction, accountId, keyId, beforeMs))
    },
    async figures(accountId) {
      const row = await write
        .selectFrom('prompt_logs')
        .select(({ fn }) => [
          fn.countAll<bigint>().as('entries'),
          fn.sum<bigint | string | null>('sealed_bytes').as('bytes'),
          fn.min('created_at_ms').as('oldest'),
        ])
        .where('account_id', '=', accountId)
        .where('sealed', 'is not', null)
        .executeTakeFirstOrThrow()
      return {
        entries: Number(row.entries),
        bytes: Number(row.bytes ?? 0),
        oldestAtMs: row.oldest === null ? null : Number(row.oldest),
      }
    },
    dropExpired: (days, nowMs, signal) => dropExpired(database, days, nowMs, signal),
  }
}

/** Undefined for a deleted log. */
function toLog(row: Selectable<PromptLogTable>): SealedLog | undefined {
  if (row.sealed === null) return undefined
  return {
    requestId: row.request_id,
    accountId: row.account_id,
    keyId: row.key_id,
    createdAtMs: Number(row.created_at_ms),
    keyName: row.key_name,
    plainBytes: Number(row.plain_bytes),
    sealed: row.sealed,
  }
}

/** The log of a request, if it may be read. */
function selectReadableLog(
  connection: Connection,
  accountId: string,
  requestId: string,
  days: LogDays,
  nowMs: number,
) {
  return ofAccount(connection, accountId, days, nowMs).where('prompt_logs.request_id', '=', requestId)
}

/** The logs of an account that may be read. */
function ofAccount(connection: Connection, accountId: string, days: LogDays, nowMs: number) {
  return connection
    .selectFrom('prompt_logs')
    .innerJoin('accounts', 'accounts.id', 'prompt_logs.account_id')
    .where('prompt_logs.account_id', '=', accountId)
    .where('prompt_logs.sealed', 'is not', null)
    .where(sql<boolean>`prompt_logs.created_at_ms > ${nowMs} - ${retentionMs(days)}`)
}

/** How long an account's logs are kept, as SQL over `accounts`. */
function retentionMs({ usual, most }: LogDays) {
  const days = sql`coalesce(accounts.log_days, ${sql.lit(usual)})`
  return sql<bigint>`(CASE WHEN ${days} < ${sql.lit(most)} THEN ${days} ELSE ${sql.lit(most)} END)
    * ${sql.lit(dayMs)}`
}

async function writeLogs(
  transaction: Connection,
  logs: readonly SealedLog[],
  mostBytes: number,
): Promise<WrittenLogs> {
  const wanted = await selectWantedLogs(transaction, logs, (accountId) => lock(transaction, accountId))
  if (wanted.length === 0) return { written: 0, evicted: 0 }
  const written = await transaction
    .insertInto('prompt_logs')
    .values(
      wanted.map((log) => ({
        request_id: log.requestId,
        account_id: log.accountId,
        key_id: log.keyId,
        created_at_ms: log.createdAtMs,
        key_name: log.keyName,
        plain_bytes: log.plainBytes,
        sealed_bytes: log.sealed.length,
        sealed: log.sealed,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['account_id', 'sealed_bytes'])
    .execute()
  return { written: written.length, evicted: await makeRoom(transaction, table, written, mostBytes) }
}

/** Locks an account, so that writers and deletions wait for each other. */
async function lock(transaction: Connection, accountId: string): Promise<void> {
  await addToTotal(transaction, table, accountId, 0n)
}

async function drop(
  transaction: Connection,
  { accountId, requestId, keyId, createdAtMs }: Parameters<PromptLogStore['drop']>[0],
): Promise<void> {
  await lock(transaction, accountId)
  await dropRows(transaction, table, [requestId], accountId)
  await transaction
    .insertInto('prompt_logs')
    .values({
      request_id: requestId,
      account_id: accountId,
      key_id: keyId,
      created_at_ms: createdAtMs,
      key_name: '',
      plain_bytes: 0,
      sealed_bytes: 0,
      sealed: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function dropAll(
  transaction: Connection,
  accountId: string,
  keyId: string | undefined,
  beforeMs: number,
): Promise<number> {
  await lock(transaction, accountId)
  if (keyId === undefined)
    await transaction
      .updateTable('prompt_log_totals')
      .set({ deleted_before_ms: beforeMs })
      .where('account_id', '=', accountId)
      .execute()
  else
    await transaction
      .insertInto('prompt_log_deletions')
      .values({ key_id: keyId, deleted_before_ms: beforeMs })
      .onConflict((conflict) => conflict.column('key_id').doUpdateSet({ deleted_before_ms: beforeMs }))
      .execute()
  const dropped = await transaction
    .deleteFrom('prompt_logs')
    .where('account_id', '=', accountId)
    .where('sealed', 'is not', null)
    .$if(keyId !== undefined, (query) => query.where('key_id', '=', keyId!))
    .returning('sealed_bytes')
    .execute()
  const freed = dropped.reduce((sum, { sealed_bytes: bytes }) => sum + bytes, 0n)
  await addToTotal(transaction, table, accountId, -freed)
  return dropped.length
}

async function dropExpired(
  database: Database,
  days: LogDays | undefined,
  nowMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (;;) {
    if (signal?.aborted === true) return
    const dropped = await inTransaction(database, (transaction) => dropSome(transaction, days, nowMs))
    if (dropped < rowsAtOnce) return
    await delay(pauseMs)
  }
}

async function dropSome(transaction: Connection, days: LogDays | undefined, nowMs: number): Promise<number> {
  const rows = await transaction
    .selectFrom('prompt_log_totals')
    .innerJoin('accounts', 'accounts.id', 'prompt_log_totals.account_id')
    .innerJoin('prompt_logs', 'prompt_logs.account_id', 'accounts.id')
    .select('prompt_logs.request_id')
    .$if(days !== undefined, (query) =>
      query.where((expression) =>
        expression.or([
          expression('accounts.status', '=', 'closed'),
          sql<boolean>`prompt_logs.created_at_ms <= ${nowMs} - ${retentionMs(days!)}`,
        ]),
      ),
    )
    .limit(rowsAtOnce)
    .execute()
  await dropRows(
    transaction,
    table,
    rows.map(({ request_id: id }) => id),
  )
  return rows.length
}

/** Deletes all logs of an account that was just closed. */
export async function dropLogsOf(transaction: Connection, accountId: string): Promise<void> {
  await transaction.deleteFrom('prompt_logs').where('account_id', '=', accountId).execute()
  await transaction.deleteFrom('prompt_log_totals').where('account_id', '=', accountId).execute()
}
