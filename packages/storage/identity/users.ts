import type { ProviderUser, ProviderUserStore } from '@turnpike/identity'
import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../database.ts'
import type { IdentityUserTable, Schema } from '../schema.ts'
import { inTransaction } from '../transaction.ts'

/** Who signs in at the embedded identity provider. */
export function userStore(database: Database): ProviderUserStore {
  const { write } = database
  return {
    async find(userId) {
      return found(
        await write.selectFrom('identity_users').selectAll().where('id', '=', userId).executeTakeFirst(),
      )
    },
    findByEmail: (email) => findByEmail(write, email),
    async create(user, inviteHash, nowMs) {
      try {
        return await inTransaction(database, (transaction) => create(transaction, user, inviteHash, nowMs))
      } catch (error) {
        if (error instanceof InviteUsed) return { refused: 'invite-unknown' }
        throw error
      }
    },
    async setPasswordHash(userId, passwordHash) {
      await write
        .updateTable('identity_users')
        .set({ password_hash: passwordHash })
        .where('id', '=', userId)
        .execute()
    },
  }
}

type Created = Awaited<ReturnType<ProviderUserStore['create']>>

/** Another registration used the invitation in between: nothing of this transaction stays. */
class InviteUsed extends Error {
  override readonly name = 'InviteUsed'
}

async function create(
  transaction: Kysely<Schema>,
  user: Omit<ProviderUser, 'emailVerified'>,
  inviteHash: string | undefined,
  nowMs: number,
): Promise<Created> {
  const invite = inviteHash === undefined ? undefined : await usableInvite(transaction, inviteHash, nowMs)
  const isForOther = invite !== undefined && invite.email !== null && invite.email !== user.email
  if (inviteHash !== undefined && (invite === undefined || isForOther)) return { refused: 'invite-unknown' }
  const emailVerified = invite?.email === user.email
  const known = await findByEmail(transaction, user.email)
  if (known !== undefined && !emailVerified) return { refused: 'email-taken' }
  const made: ProviderUser = { ...(known ?? user), passwordHash: user.passwordHash, emailVerified }
  if (known === undefined) await insert(transaction, made, nowMs)
  else await update(transaction, made)
  if (invite !== undefined) {
    const { numUpdatedRows } = await transaction
      .updateTable('identity_invites')
      .set({ used_at_ms: nowMs, used_by: made.id })
      .where('id', '=', invite.id)
      .where('used_at_ms', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new InviteUsed()
  }
  return { user: made }
}

async function insert(transaction: Kysely<Schema>, user: ProviderUser, nowMs: number): Promise<void> {
  await transaction
    .insertInto('identity_users')
    .values({
      id: user.id,
      email: user.email,
      email_verified: user.emailVerified ? 1 : 0,
      name: user.name,
      password_hash: user.passwordHash,
      created_at_ms: nowMs,
    })
    .execute()
}

async function update(transaction: Kysely<Schema>, user: ProviderUser): Promise<void> {
  await transaction
    .updateTable('identity_users')
    .set({ password_hash: user.passwordHash, email_verified: 1 })
    .where('id', '=', user.id)
    .execute()
}

async function usableInvite(
  transaction: Kysely<Schema>,
  codeHash: string,
  nowMs: number,
): Promise<{ id: string; email: string | null } | undefined> {
  return transaction
    .selectFrom('identity_invites')
    .select(['id', 'email'])
    .where('code_hash', '=', codeHash)
    .where('used_at_ms', 'is', null)
    .where('expires_at_ms', '>', BigInt(nowMs))
    .executeTakeFirst()
}

async function findByEmail(connection: Kysely<Schema>, email: string): Promise<ProviderUser | undefined> {
  return found(
    await connection.selectFrom('identity_users').selectAll().where('email', '=', email).executeTakeFirst(),
  )
}

function found(row: Selectable<IdentityUserTable> | undefined): ProviderUser | undefined {
  if (row === undefined) return undefined
  return {
    id: row.id,
    email: row.email,
    emailVerified: row.email_verified === 1n,
    name: row.name,
    passwordHash: row.password_hash,
  }
}
