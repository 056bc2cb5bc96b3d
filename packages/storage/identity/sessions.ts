import { loginOf, type LoginKind, type LoginSession, type LoginSessionStore } from '@turnpike/identity'
import type { Database } from '../database/database.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'

/** Rows in one list. */
const maxListed = 200

/** Login sessions at the embedded provider. */
export function loginSessionStore(database: Database): LoginSessionStore {
  const { write } = database
  return {
    begin: (session) => inTransaction(database, (transaction) => begin(transaction, session)),
    async isEnded(browserUid) {
      const row = await write
        .selectFrom('identity_sessions')
        .select('ended_at_ms')
        .where('browser_uid', '=', browserUid)
        .executeTakeFirst()
      return row !== undefined && row.ended_at_ms !== null
    },
    list: (userId, nowMs) => list(write, userId, nowMs),
    async use(id, { address, userAgent, nowMs, expiresAtMs }) {
      await write
        .updateTable('identity_sessions')
        .set({ address, user_agent: userAgent, last_used_at_ms: nowMs, expires_at_ms: expiresAtMs })
        .where('id', '=', id)
        .where('ended_at_ms', 'is', null)
        .execute()
    },
    end: (userId, id, nowMs) =>
      inTransaction(database, async (transaction) => {
        const ended = await markEnded(transaction, nowMs, { userId, id })
        for (const session of ended) await removeStates(transaction, session)
        return ended.length > 0
      }),
    endOfBrowser: (browserUid, nowMs) =>
      inTransaction(database, async (transaction) => {
        for (const session of await markEnded(transaction, nowMs, { browserUid }))
          await removeStates(transaction, session)
      }),
    endOfCommandLine: (id, nowMs) =>
      inTransaction(database, async (transaction) => {
        const which = { id, kind: 'command_line' } as const
        for (const session of await markEnded(transaction, nowMs, which))
          await removeStates(transaction, session)
      }),
    endOthers: (userId, keptId) =>
      inTransaction(database, (transaction) => endLogins(transaction, userId, keptId)),
    async removeExpired(beforeMs) {
      await write.deleteFrom('identity_sessions').where('expires_at_ms', '<', BigInt(beforeMs)).execute()
    },
  }
}

/** Several tabs of a browser may begin at once, but it has one session. */
async function begin(
  transaction: Connection,
  session: Parameters<LoginSessionStore['begin']>[0],
): Promise<string> {
  const { id, userId, loginGeneration, kind, browserUid, userAgent, address, nowMs, expiresAtMs } = session
  await transaction
    .insertInto('identity_sessions')
    .values({
      id,
      user_id: userId,
      login_generation: loginGeneration,
      kind,
      browser_uid: browserUid,
      user_agent: userAgent,
      address,
      created_at_ms: nowMs,
      last_used_at_ms: nowMs,
      expires_at_ms: expiresAtMs,
      ended_at_ms: null,
    })
    .onConflict((conflict) => conflict.column('browser_uid').doNothing())
    .execute()
  if (browserUid === null) return id
  const known = await transaction
    .selectFrom('identity_sessions')
    .select('id')
    .where('browser_uid', '=', browserUid)
    .executeTakeFirstOrThrow()
  return known.id
}

async function list(connection: Connection, userId: string, nowMs: number): Promise<LoginSession[]> {
  const rows = await connection
    .selectFrom('identity_sessions')
    .innerJoin('identity_users', 'identity_users.id', 'identity_sessions.user_id')
    .selectAll('identity_sessions')
    .where('identity_sessions.user_id', '=', userId)
    .whereRef('identity_sessions.login_generation', '=', 'identity_users.login_generation')
    .where('identity_sessions.ended_at_ms', 'is', null)
    .where('identity_sessions.expires_at_ms', '>', BigInt(nowMs))
    .orderBy('identity_sessions.last_used_at_ms', 'desc')
    .orderBy('identity_sessions.id')
    .limit(maxListed)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as LoginKind,
    userAgent: row.user_agent,
    address: row.address,
    createdAtMs: Number(row.created_at_ms),
    lastUsedAtMs: Number(row.last_used_at_ms),
  }))
}

interface Ended {
  id: string
  browser_uid: string | null
}

function markEnded(
  transaction: Connection,
  nowMs: number,
  which: { userId: string; id: string } | { id: string; kind: LoginKind } | { browserUid: string },
): Promise<Ended[]> {
  const update = transaction
    .updateTable('identity_sessions')
    .set({ ended_at_ms: nowMs })
    .where('ended_at_ms', 'is', null)
    .returning(['id', 'browser_uid'])
  if ('browserUid' in which) return update.where('browser_uid', '=', which.browserUid).execute()
  const one = update.where('id', '=', which.id)
  return 'kind' in which
    ? one.where('kind', '=', which.kind).execute()
    : one.where('user_id', '=', which.userId).execute()
}

/** Deletes the session's states at the provider: the browser's own, its grants, and what those issued. */
async function removeStates(transaction: Connection, session: Ended): Promise<void> {
  for (const { kind, id } of await statesOf(transaction, session))
    await transaction.deleteFrom('identity_states').where('kind', '=', kind).where('id', '=', id).execute()
}

/** A grant is named after its session (`grantIdOf`). */
export async function statesOf(
  transaction: Connection,
  { id, browser_uid: browserUid }: Ended,
): Promise<{ kind: string; id: string; payload: string }[]> {
  const columns = ['kind', 'id', 'payload'] as const
  const [from, to] = [`${id}.`, `${id}/`]
  const grants = await transaction
    .selectFrom('identity_states')
    .select(columns)
    .where('kind', '=', 'Grant')
    .where('id', '>', from)
    .where('id', '<', to)
    .execute()
  const ofGrants = await transaction
    .selectFrom('identity_states')
    .select(columns)
    .where('grant_id', '>', from)
    .where('grant_id', '<', to)
    .execute()
  const ofBrowser =
    browserUid === null
      ? []
      : await transaction
          .selectFrom('identity_states')
          .select(columns)
          .where('uid', '=', browserUid)
          .where('kind', '=', 'Session')
          .execute()
  return [...grants, ...ofGrants, ...ofBrowser]
}

/** Ends all logins of a user in one step, by raising the login generation. The kept session moves along. */
export async function endLogins(
  transaction: Connection,
  userId: string,
  keptId: string | undefined,
): Promise<void> {
  const user = await transaction
    .updateTable('identity_users')
    .set(({ eb }) => ({ login_generation: eb('login_generation', '+', 1n) }))
    .where('id', '=', userId)
    .returning('login_generation')
    .executeTakeFirstOrThrow()
  if (keptId === undefined) return
  const kept = await transaction
    .updateTable('identity_sessions')
    .set({ login_generation: user.login_generation })
    .where('id', '=', keptId)
    .where('user_id', '=', userId)
    .where('login_generation', '=', user.login_generation - 1n)
    .where('ended_at_ms', 'is', null)
    .returning(['id', 'browser_uid'])
    .executeTakeFirst()
  if (kept === undefined) return
  const login = loginOf({ id: userId, loginGeneration: Number(user.login_generation) })
  for (const { kind, id, payload } of await statesOf(transaction, kept)) {
    const renewed = { ...(JSON.parse(payload) as Record<string, unknown>), accountId: login }
    await transaction
      .updateTable('identity_states')
      .set({ payload: JSON.stringify(renewed) })
      .where('kind', '=', kind)
      .where('id', '=', id)
      .where('payload', '=', payload)
      .execute()
  }
}
