import type { Invite, InviteStore } from '@turnpike/identity'
import { firstIdentifierAt } from '@turnpike/protocol'
import type { Selectable } from 'kysely'
import { cursorsOf, pageOf } from '../database/cursor.ts'
import type { Database } from '../database/database.ts'
import type { IdentityInviteTable } from './tables.ts'

const cursors = cursorsOf('invites', ['text'])

/** Invitations to register with the embedded identity provider. */
export function inviteStore(database: Database): InviteStore {
  return {
    async create({ id, email, createdAtMs, expiresAtMs, bySecret }, codeHash) {
      await database.write
        .insertInto('identity_invites')
        .values({
          id,
          code_hash: codeHash,
          email,
          created_at_ms: createdAtMs,
          expires_at_ms: expiresAtMs,
          by_secret: bySecret ? 1 : 0,
        })
        .execute()
    },
    async list({ limit, cursor }, { state, fromMs, toMs, nowMs = Date.now() } = {}) {
      const rows = await database.read
        .selectFrom('identity_invites')
        .selectAll()
        .$if(cursor !== undefined, (query) => query.where('id', '<', cursors.decode(cursor!)[0]))
        .$if(state === 'used', (query) => query.where('used_at_ms', 'is not', null))
        .$if(state === 'open' || state === 'expired', (query) => query.where('used_at_ms', 'is', null))
        .$if(state === 'open', (query) => query.where('expires_at_ms', '>', BigInt(nowMs)))
        .$if(state === 'expired', (query) => query.where('expires_at_ms', '<=', BigInt(nowMs)))
        .$if(fromMs !== undefined, (query) => query.where('id', '>=', firstIdentifierAt('inv', fromMs!)))
        .$if(toMs !== undefined, (query) => query.where('id', '<', firstIdentifierAt('inv', toMs!)))
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      return pageOf(rows.map(toInvite), limit, cursors, (invite) => [invite.id])
    },
    async remove(inviteId) {
      const { numDeletedRows } = await database.write
        .deleteFrom('identity_invites')
        .where('id', '=', inviteId)
        .where('used_at_ms', 'is', null)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

function toInvite(row: Selectable<IdentityInviteTable>): Invite {
  return {
    id: row.id,
    email: row.email,
    createdAtMs: Number(row.created_at_ms),
    expiresAtMs: Number(row.expires_at_ms),
    usedAtMs: row.used_at_ms === null ? null : Number(row.used_at_ms),
    bySecret: row.by_secret === 1n,
  }
}
