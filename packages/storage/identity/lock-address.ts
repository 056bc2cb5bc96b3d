import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { engineOf } from '../database/engine.ts'
import type { Connection } from '../schema.ts'

/**
 * Until the end of the transaction nobody else has it: of those who write to one address at once, each counts
 * the mails of those before it. It has no row of its own that could be locked. SQLite has one writer.
 */
export async function lockAddress(transaction: Connection, email: string): Promise<void> {
  if (engineOf(transaction) !== 'postgres') return
  const key = createHash('sha256').update(`mails to ${email}`).digest().readBigInt64BE()
  await sql`select pg_advisory_xact_lock(${key.toString()}::bigint)`.execute(transaction)
}
