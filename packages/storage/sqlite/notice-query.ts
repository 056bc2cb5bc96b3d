import { CompiledQuery } from 'kysely'
import type { Connection } from '../schema.ts'

const notices = new WeakMap<CompiledQuery, string>()

/** The notice that this query carries. */
export function noticeOf(query: CompiledQuery): string | undefined {
  return notices.get(query)
}

/** Like PostgreSQL's `NOTIFY`: the connection sends the notice to all when the transaction commits. */
export async function notifyAtCommit(connection: Connection, notice: string): Promise<void> {
  const query = CompiledQuery.raw('a notice')
  notices.set(query, notice)
  await connection.executeQuery(query)
}
