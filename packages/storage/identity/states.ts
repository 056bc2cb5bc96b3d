import type { FoundState, LiveGrant, ProviderStateStore } from '@turnpike/identity'
import type { Database } from '../database/database.ts'
import type { Connection } from '../schema.ts'

const maxGrants = 200
/** Rows per statement, so that no sign-in waits long for it. */
const maxRemoved = 1_000

/** Grants, sessions, codes and tokens of the embedded identity provider. */
export function stateStore(database: Database): ProviderStateStore {
  const { write } = database

  const findBy = async (
    column: 'id' | 'uid' | 'user_code',
    kind: string,
    value: string,
  ): Promise<FoundState | undefined> => {
    const row = await write
      .selectFrom('identity_states')
      .select(['payload', 'consumed_at_ms'])
      .where(column, '=', value)
      .where('kind', '=', kind)
      .executeTakeFirst()
    if (row === undefined) return undefined
    return {
      payload: JSON.parse(row.payload) as Record<string, unknown>,
      consumedAtMs: row.consumed_at_ms === null ? null : Number(row.consumed_at_ms),
    }
  }

  return {
    async write({ kind, id, payload, uid, userCode, grantId, expiresAtMs }) {
      const columns = {
        payload: JSON.stringify(payload),
        uid,
        user_code: userCode,
        grant_id: grantId,
        expires_at_ms: expiresAtMs,
      }
      await write
        .insertInto('identity_states')
        .values({ kind, id, ...columns })
        .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(columns))
        .execute()
    },
    find: (kind, id) => findBy('id', kind, id),
    findByUid: (kind, uid) => findBy('uid', kind, uid),
    findByUserCode: (kind, userCode) => findBy('user_code', kind, userCode),
    async consume(kind, id, nowMs) {
      const { numUpdatedRows } = await write
        .updateTable('identity_states')
        .set({ consumed_at_ms: nowMs })
        .where('kind', '=', kind)
        .where('id', '=', id)
        .where('consumed_at_ms', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async remove(kind, id) {
      await write.deleteFrom('identity_states').where('kind', '=', kind).where('id', '=', id).execute()
    },
    async removeOfGrant(kind, grantId) {
      await write
        .deleteFrom('identity_states')
        .where('grant_id', '=', grantId)
        .where('kind', '=', kind)
        .execute()
    },
    liveGrants: (userId, nowMs) => liveGrants(write, userId, BigInt(nowMs)),
    removeExpired: (beforeMs) => removeExpired(write, BigInt(beforeMs)),
  }
}

async function liveGrants(connection: Connection, userId: string, now: bigint): Promise<LiveGrant[]> {
  const rows = await connection
    .selectFrom('identity_states as grants')
    .innerJoin('identity_states as tokens', 'tokens.grant_id', 'grants.id')
    .select(['grants.id', 'grants.payload as grant', 'tokens.payload as refreshToken'])
    .where('grants.kind', '=', 'Grant')
    .where('grants.uid', '=', userId)
    .where('grants.expires_at_ms', '>', now)
    .where('tokens.kind', '=', 'RefreshToken')
    .where('tokens.consumed_at_ms', 'is', null)
    .where('tokens.expires_at_ms', '>', now)
    .orderBy('grants.expires_at_ms', 'desc')
    .orderBy('grants.id')
    .limit(maxGrants)
    .execute()
  return rows.map(({ id, grant, refreshToken }) => ({
    id,
    grant: JSON.parse(grant) as Record<string, unknown>,
    refreshToken: JSON.parse(refreshToken) as Record<string, unknown>,
  }))
}

async function removeExpired(connection: Connection, before: bigint): Promise<void> {
  for (let found = maxRemoved; found === maxRemoved;) {
    const expired = await connection
      .selectFrom('identity_states')
      .select(['kind', 'id'])
      .where('expires_at_ms', '<', before)
      .limit(maxRemoved)
      .execute()
    found = expired.length
    for (const [kind, ids] of byKind(expired))
      await connection
        .deleteFrom('identity_states')
        .where('kind', '=', kind)
        .where('id', 'in', ids)
        // It may have been renewed since it was read.
        .where('expires_at_ms', '<', before)
        .execute()
  }
}

function byKind(rows: readonly { kind: string; id: string }[]): Map<string, string[]> {
  const ids = new Map<string, string[]>()
  for (const { kind, id } of rows) ids.set(kind, [...(ids.get(kind) ?? []), id])
  return ids
}
