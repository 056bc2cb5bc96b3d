import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** Bytes that a PostgreSQL server has written to its log since it started. */
export async function logBytes({ read }: Pick<Database, 'read'>): Promise<number> {
  const query = sql<{ bytes: bigint }>`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as bytes`
  return Number((await query.execute(read)).rows[0]!.bytes)
}

/** Average size of a row of a PostgreSQL table, including the indexes of all its partitions. */
export async function bytesOfRow({ read }: Pick<Database, 'read'>, table: string): Promise<number> {
  const query = sql<{ bytes: bigint; rows: bigint }>`
    with parts as (
      select ${table}::regclass as part
      union select relid from pg_partition_tree(${table})
    )
    select (select count(*) from ${sql.table(table)}) as rows,
      (select sum(pg_total_relation_size(part)) from parts)::bigint as bytes`
  const { bytes, rows } = (await query.execute(read)).rows[0]!
  return Number(bytes) / Number(rows)
}
