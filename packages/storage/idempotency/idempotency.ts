import {
  idempotencyAbandonedMs,
  idempotencyMemoryMs,
  type Claim,
  type IdempotencyStore,
} from '@turnpike/identity'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { databaseNowMs } from '../database/database-clock.ts'
import type { Connection } from '../schema.ts'
import type { RetriedWrites } from './retried-writes.ts'

/** How often each node deletes expired claims. */
const forgetEveryMs = 10 * 60 * 1000

/**
 * Stores the claims of idempotency keys. Writes that fail because the database is down (a claim that may have
 * been made, a release, an answer) are handed to `owed` and retried. Otherwise a key would stay claimed by a
 * live node that has long forgotten it.
 */
export function idempotencyStore(database: Database, retriedWrites: RetriedWrites): IdempotencyStore {
  let forgottenAtMs = -Infinity
  const release = async (id: string, claimedAtMs: number): Promise<void> => {
    await database.write
      .deleteFrom('idempotency_claims')
      .where('id', '=', id)
      .where('claimed_at_ms', '=', BigInt(claimedAtMs))
      .where('status', 'is', null)
      .execute()
  }
  return {
    async claim(id, fingerprint, nowMs, nodeId) {
      if (nowMs - forgottenAtMs > forgetEveryMs) {
        forgottenAtMs = nowMs
        await forget(database, nowMs)
      }
      // A conflicting claim may be released before it is read; then try again.
      for (;;) {
        const inserted = insert(database, { id, fingerprint, nowMs, nodeId: nodeId ?? null })
        inserted.catch(() => retriedWrites.owe(() => release(id, nowMs)))
        if (await inserted) return { state: 'claimed', claimedAtMs: nowMs }
        const found = await find(database, id, fingerprint)
        if (found !== undefined) return found
      }
    },
    keep: (id, claimedAtMs, { status, body }) =>
      retriedWrites.attempt(async () => {
        await database.write
          .updateTable('idempotency_claims')
          .set({ status, body })
          .where('id', '=', id)
          .where('claimed_at_ms', '=', BigInt(claimedAtMs))
          .execute()
      }),
    release: (id, claimedAtMs) => retriedWrites.attempt(() => release(id, claimedAtMs)),
    async releaseAll(nodeId) {
      await database.write
        .deleteFrom('idempotency_claims')
        .where('node_id', '=', nodeId)
        .where('status', 'is', null)
        .execute()
    },
  }
}

interface NewClaim {
  id: string
  fingerprint: string
  nowMs: number
  nodeId: string | null
}

/** Nodes send four heartbeats per lease term: a node that missed two counts as dead. */
function isOfDeadNode(connection: Connection) {
  return sql<boolean>`(idempotency_claims.node_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM nodes WHERE nodes.id = idempotency_claims.node_id
      AND nodes.heartbeat_at_ms + nodes.lease_ms / 2 >= ${databaseNowMs(connection)}))`
}

/** True if the id now belongs to this request: it was free, expired, or abandoned by the same request. */
async function insert(database: Database, claim: NewClaim): Promise<boolean> {
  const { id, fingerprint, nowMs, nodeId } = claim
  const fresh = { fingerprint, claimed_at_ms: nowMs, node_id: nodeId, status: null, body: null }
  const claimed = await database.write
    .insertInto('idempotency_claims')
    .values({ id, ...fresh })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet(fresh)
        .where((row) =>
          row.or([
            row('idempotency_claims.claimed_at_ms', '<=', BigInt(nowMs - idempotencyMemoryMs)),
            row.and([
              row('idempotency_claims.status', 'is', null),
              row('idempotency_claims.fingerprint', '=', fingerprint),
              row.or([
                row('idempotency_claims.claimed_at_ms', '<=', BigInt(nowMs - idempotencyAbandonedMs)),
                isOfDeadNode(database.write),
              ]),
            ]),
          ]),
        ),
    )
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

async function find(database: Database, id: string, fingerprint: string): Promise<Claim | undefined> {
  const row = await database.write
    .selectFrom('idempotency_claims')
    .select(['fingerprint', 'status', 'body'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (row.fingerprint !== fingerprint) return { state: 'reused' }
  if (row.status === null || row.body === null) return { state: 'running' }
  return { state: 'answered', answer: { status: Number(row.status), body: row.body } }
}

async function forget(database: Database, nowMs: number): Promise<void> {
  await database.write
    .deleteFrom('idempotency_claims')
    .where('claimed_at_ms', '<=', BigInt(nowMs - idempotencyMemoryMs))
    .execute()
}
