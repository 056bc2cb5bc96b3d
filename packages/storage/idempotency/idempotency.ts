import {
  idempotencyAbandonedMs,
  idempotencyMemoryMs,
  type Claim,
  type IdempotencyStore,
} from '@turnpike/identity'
import type { Database } from '../database.ts'

/** How often what is older than the memory is deleted, by each node. */
const forgetEveryMs = 10 * 60 * 1000

export function idempotencyStore(database: Database): IdempotencyStore {
  let forgottenAtMs = -Infinity
  return {
    async claim(id, fingerprint, nowMs) {
      if (nowMs - forgottenAtMs > forgetEveryMs) {
        forgottenAtMs = nowMs
        await forget(database, nowMs)
      }
      // A claim that is in the way may be released before it is read: then there is another try.
      for (;;) {
        if (await insert(database, id, fingerprint, nowMs)) return { state: 'claimed', claimedAtMs: nowMs }
        const found = await find(database, id, fingerprint)
        if (found !== undefined) return found
      }
    },
    async keep(id, claimedAtMs, { status, body }) {
      await database.write
        .updateTable('idempotency_claims')
        .set({ status, body })
        .where('id', '=', id)
        .where('claimed_at_ms', '=', BigInt(claimedAtMs))
        .execute()
    },
    async release(id, claimedAtMs) {
      await database.write
        .deleteFrom('idempotency_claims')
        .where('id', '=', id)
        .where('claimed_at_ms', '=', BigInt(claimedAtMs))
        .where('status', 'is', null)
        .execute()
    },
  }
}

/** True where the id is now this request's: it was free, forgotten, or of the same request and abandoned. */
async function insert(database: Database, id: string, fingerprint: string, nowMs: number): Promise<boolean> {
  const claimed = await database.write
    .insertInto('idempotency_claims')
    .values({ id, fingerprint, claimed_at_ms: nowMs, status: null, body: null })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ fingerprint, claimed_at_ms: nowMs, status: null, body: null })
        .where((row) =>
          row.or([
            row('idempotency_claims.claimed_at_ms', '<=', BigInt(nowMs - idempotencyMemoryMs)),
            row.and([
              row('idempotency_claims.status', 'is', null),
              row('idempotency_claims.fingerprint', '=', fingerprint),
              row('idempotency_claims.claimed_at_ms', '<=', BigInt(nowMs - idempotencyAbandonedMs)),
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
