import { sql, type Kysely } from 'kysely'
import { databaseNowMs } from './database-clock.ts'
import type { Engine } from './engine.ts'
import type { Schema } from './schema.ts'

/** Notes a node whose heartbeat may come later: its leases name it. */
export async function registerNode(
  engine: Engine,
  connection: Kysely<Schema>,
  nodeId: string,
): Promise<void> {
  await connection
    .insertInto('nodes')
    .values({ id: nodeId, heartbeat_at_ms: databaseNowMs(engine), counts_budgets: 1 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Whether nodes run whose version is from before budgets: they would charge and count for none. */
export async function olderNodesRun(engine: Engine, connection: Kysely<Schema>): Promise<boolean> {
  const node = await connection
    .selectFrom('nodes')
    .select('id')
    .where('counts_budgets', '=', 0n)
    .where(sql<boolean>`heartbeat_at_ms + lease_ms >= ${databaseNowMs(engine)}`)
    .limit(1)
    .executeTakeFirst()
  return node !== undefined
}
