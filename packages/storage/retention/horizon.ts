import { sql } from 'kysely'
import type { Connection } from '../schema.ts'

/** Requests that began before this time may be deleted, and with them the totals of those hours. */
export async function readHorizonMs(connection: Connection): Promise<number> {
  const row = await connection.selectFrom('request_horizon').select('dropped_before_ms').executeTakeFirst()
  return Number(row?.dropped_before_ms ?? 0n)
}

/** Moves the horizon before rows are deleted, so that readers know why one is missing. Never goes back. */
export async function moveHorizon(connection: Connection, toMs: number): Promise<void> {
  await sql`update request_horizon set dropped_before_ms = ${toMs} where dropped_before_ms < ${toMs}`.execute(
    connection,
  )
}
