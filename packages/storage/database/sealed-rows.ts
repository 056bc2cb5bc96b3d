import { sql } from 'kysely'
import type { Connection } from '../schema.ts'

/** Few enough that other writers hardly wait for one transaction. */
export const rowsAtOnce = 100

/** A table of sealed rows, and the table of their total sizes per account, so that no write has to sum. */
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
 * @param bytes 0 only locks the account's row, and creates it if it is missing
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

/**
 * Adds the written rows to the totals, and deletes the oldest rows of each account beyond `mostBytes`.
 * Returns how many were deleted.
 */
export async function makeRoom(
  transaction: Connection,
  table: SealedTable,
  written: readonly { account_id: string; sealed_bytes: bigint }[],
  mostBytes: number,
): Promise<number> {
  const added = bytesByAccount(written)
  let evicted = 0
  // In a fixed order, so that nodes that write for the same accounts do not deadlock.
  for (const accountId of [...added.keys()].toSorted()) {
    const total = await addToTotal(transaction, table, accountId, added.get(accountId)!)
    evicted += await dropOldest(transaction, table, accountId, total - BigInt(mostBytes))
  }
  return evicted
}

/** Deletes the oldest rows of an account until `bytesToFree` bytes are free. Returns their number. */
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

/** Deletes rows and subtracts them from their accounts' totals. `accountId` limits this to one account. */
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
