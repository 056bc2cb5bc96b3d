import type { WrittenRequests } from '@turnpike/gateway'
import { CompiledQuery } from 'kysely'
import type { Connection } from '../schema.ts'

export interface Batch {
  nodeId: string
  /** The outbox's rows, one per line. */
  lines: Uint8Array<ArrayBuffer>
}

const batches = new WeakMap<CompiledQuery, Batch>()

/** The batch that this query carries. */
export function batchOf(query: CompiledQuery): Batch | undefined {
  return batches.get(query)
}

/** Writes a batch in the worker's thread. Sent as a query, so that it has the connection to itself. */
export async function writeBatch(
  database: Connection,
  nodeId: string,
  lines: Uint8Array<ArrayBuffer>,
): Promise<WrittenRequests> {
  const query = CompiledQuery.raw('a batch of requests')
  batches.set(query, { nodeId, lines })
  const { rows } = await database.executeQuery<WrittenRequests>(query)
  return rows[0]!
}
