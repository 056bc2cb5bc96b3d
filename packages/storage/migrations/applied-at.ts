import type { Connection } from '../schema.ts'

/** When this database was migrated by the migration with this number, in Unix epoch milliseconds. */
export async function readAppliedAtMs(connection: Connection, migration: bigint): Promise<number> {
  const row = await connection
    .selectFrom('schema_migrations')
    .select('applied_at_ms')
    .where('number', '=', migration)
    .executeTakeFirstOrThrow()
  return Number(row.applied_at_ms)
}
