import { sql } from 'kysely'
import { databaseNowMs } from '../database/database-clock.ts'
import type { Connection } from '../schema.ts'

/** Notes a node whose heartbeat may come later: its leases name it. */
export async function registerNode(connection: Connection, nodeId: string): Promise<void> {
  await connection
    .insertInto('nodes')
    .values({
      id: nodeId,
      heartbeat_at_ms: databaseNowMs(connection),
      counts_budgets: 1,
      knows_vendor_keys: 1,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/**
 * Whether nodes run whose version is from before budgets, or own vendor keys: they would charge and count for
 * none, or spend credit in place of a key.
 */
export async function olderNodesRun(
  connection: Connection,
  lacking: 'counts_budgets' | 'knows_vendor_keys' = 'counts_budgets',
): Promise<boolean> {
  const node = await connection
    .selectFrom('nodes')
    .select('id')
    .where(lacking, '=', 0n)
    .where(sql<boolean>`heartbeat_at_ms + lease_ms >= ${databaseNowMs(connection)}`)
    .limit(1)
    .executeTakeFirst()
  return node !== undefined
}
