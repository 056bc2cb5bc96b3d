import { sql } from 'kysely'
import type { Connection } from '../schema.ts'

/** Few enough that others hardly wait for one transaction. */
export const rowsAtOnce = 100

/** A table of what accounts have sealed, and the table of its sums, so that nobody counts it for each row. */
export interface SealedTable {
  rows: 'kept_answers' | 'prompt_logs'
  /** Its primary key. */
  id: 'id' | 'request_id'
  totals: 'kept_answer_totals' | 'prompt_log_totals'
}

interface DroppedRow {
  account_id: string
  created_at_ms: bigint
  sealed_bytes: bigint
}

/**
 * @param bytes 0: only locks the account's row, and makes it where there is none
 * @returns the new total
 */
export async function addToTotal(
  transaction: Connection,
  { totals }: SealedTable,
  accountId: string,
  bytes: bigint,
): Promise<bigint> {
  const table = sql.table(totals)
  const { rows } = await sql<{ bytes: bigint }>`
    insert into ${table} (account_id, bytes) values (${accountId}, ${bytes})
    on conflict (account_id) do update set bytes = ${table}.bytes + excluded.bytes
    returning bytes
  `.execute(transaction)
  return rows[0]!.bytes
}

/** Adds what was written, and drops the oldest of each account beyond `mostBytes`; answers with how many. */
export async function makeRoom(
  transaction: Connection,
  table: SealedTable,
  written: readonly { account_id: string; sealed_bytes: bigint }[],
  mostBytes: number,
): Promise<number> {
  const added = bytesByAccount(written)
  let evicted = 0
  // In one order, so that nodes which write for the same accounts do not wait for each other.
  for (const accountId of [...added.keys()].toSorted()) {
    const total = await addToTotal(transaction, table, accountId, added.get(accountId)!)
    evicted += await dropOldest(transaction, table, accountId, total - BigInt(mostBytes))
  }
  return evicted
}

/** Drops the oldest of an account until so many bytes are free again; answers with how many went. */
async function dropOldest(
  transaction: Connection,
  table: SealedTable,
  accountId: string,
  bytesToFree: bigint,
): Promise<number> {
  let left = bytesToFree
  let dropped = 0
  while (left > 0n) {
    const { rows } = await sql<{ id: string; bytes: bigint }>`
      select ${sql.ref(table.id)} as id, sealed_bytes as bytes from ${sql.table(table.rows)}
      where account_id = ${accountId} order by created_at_ms, ${sql.ref(table.id)}
      limit ${sql.lit(rowsAtOnce)}
    `.execute(transaction)
    if (rows.length === 0) break
    const ids: string[] = []
    for (const { id, bytes } of rows) {
      if (left <= 0n) break
      ids.push(id)
      left -= bytes
    }
    dropped += (await dropRows(transaction, table, ids)).length
  }
  return dropped
}

/** Deletes rows, of that account alone where one is named, and takes them off their accounts' totals. */
export async function dropRows(
  transaction: Connection,
  table: SealedTable,
  ids: readonly string[],
  accountId?: string,
): Promise<DroppedRow[]> {
  if (ids.length === 0) return []
  const ofAccount = accountId === undefined ? sql`` : sql`and account_id = ${accountId}`
  const { rows } = await sql<DroppedRow>`
    delete from ${sql.table(table.rows)} where ${sql.ref(table.id)} in (${sql.join(ids)}) ${ofAccount}
    returning account_id, created_at_ms, sealed_bytes
  `.execute(transaction)
  const freed = bytesByAccount(rows)
  for (const id of [...freed.keys()].toSorted()) await addToTotal(transaction, table, id, -freed.get(id)!)
  return rows
}

function bytesByAccount(
  rows: readonly { account_id: string; sealed_bytes: bigint }[],
): ReadonlyMap<string, bigint> {
  const bytes = new Map<string, bigint>()
  for (const row of rows) bytes.set(row.account_id, (bytes.get(row.account_id) ?? 0n) + row.sealed_bytes)
  return bytes
}
