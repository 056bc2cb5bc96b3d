import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { engineOf } from '../database/engine.ts'
import type { Connection } from '../schema.ts'

/**
 * Locks an address until the end of the transaction, so that concurrent writers to it count each other's
 * mails. An address has no row that could be locked. On SQLite there is only one writer.
 */
export async function lockAddress(transaction: Connection, email: string): Promise<void> {
  if (engineOf(transaction) !== 'postgres') return
  const key = createHash('sha256').update(`mails to ${email}`).digest().readBigInt64BE()
  await sql`select pg_advisory_xact_lock(${key.toString()}::bigint)`.execute(transaction)
}
