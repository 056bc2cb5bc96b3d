import { sql } from 'kysely'
import { databaseNowMs } from '../database/database-clock.ts'
import type { Connection } from '../schema.ts'

/** Registers a node before its first heartbeat, because leases refer to it. */
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
 * Whether nodes run whose version knows no budgets, or no own vendor keys: they would not count charges for
 * budgets, or would spend credit instead of using the account's own key.
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
