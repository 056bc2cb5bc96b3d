import type { Invitation, NewProviderUser, ProviderUser, ProviderUserStore } from '@turnpike/identity'
import type { Selectable } from 'kysely'
import { TransactionConflict } from '../database/database-error.ts'
import type { Database } from '../database/database.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { endLogins } from './sessions.ts'
import type { IdentityUserTable } from './tables.ts'

/** Users of the embedded identity provider. */
export function userStore(database: Database): ProviderUserStore {
  const { write } = database
  return {
    async find(userId) {
      return toProviderUser(
        await write.selectFrom('identity_users').selectAll().where('id', '=', userId).executeTakeFirst(),
      )
    },
    findByEmail: (email) => findByEmail(write, email),
    async create(user, invitation, nowMs) {
      try {
        return await inTransaction(database, (transaction) => create(transaction, user, invitation, nowMs))
      } catch (error) {
        if (error instanceof InviteUsed) return { refused: 'invite-unknown' }
        throw error
      }
    },
    changePassword: (userId, { from, to, keptSessionId }) =>
      inTransaction(database, async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('identity_users')
          .set({ password_hash: to })
          .where('id', '=', userId)
          .where('password_hash', '=', from)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        await endLogins(transaction, userId, keptSessionId)
        return true
      }),
    changeEmail: (userId, email) =>
      inTransaction(database, async (transaction) => {
        const known = await findByEmail(transaction, email)
        if (known !== undefined) return known.id === userId
        // The new address is not verified yet.
        const { numUpdatedRows } = await transaction
          .updateTable('identity_users')
          .set({ email, email_verified: 0 })
          .where('id', '=', userId)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      }),
    async replacePasswordHash(userId, from, to) {
      await write
        .updateTable('identity_users')
        .set({ password_hash: to })
        .where('id', '=', userId)
        .where('password_hash', '=', from)
        .execute()
    },
  }
}

type Created = Awaited<ReturnType<ProviderUserStore['create']>>

/** Another registration has used the invitation meanwhile; the transaction is rolled back. */
class InviteUsed extends Error {
  override readonly name = 'InviteUsed'
}

async function create(
  transaction: Connection,
  user: NewProviderUser,
  invitation: Invitation | undefined,
  nowMs: number,
): Promise<Created> {
  const invite = invitation && (await usableInvite(transaction, invitation.codeHash, nowMs))
  const isForOther = invite !== undefined && invite.email !== null && invite.email !== user.email
  if (invitation !== undefined && (invite === undefined || isForOther)) return { refused: 'invite-unknown' }
  const emailVerified = invite?.email === user.email
  const known = await findByEmail(transaction, user.email)
  if (known !== undefined && !emailVerified) return { refused: 'email-taken' }
  if (emailVerified && invite?.by_secret !== 1n) {
    const isForOperator = invitation?.isForOperator || (await isOperator(transaction, user.email, known))
    if (isForOperator) return { refused: 'invite-without-secret' }
  }
  const made =
    known?.emailVerified === true
      ? await recoverUser(transaction, known, user.passwordHash)
      : await insertUser(transaction, { ...user, emailVerified }, known, nowMs)
  if (invite !== undefined) await useUp(transaction, invite.id, made.id, nowMs)
  return { user: made }
}

async function useUp(
  transaction: Connection,
  inviteId: string,
  userId: string,
  nowMs: number,
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('identity_invites')
    .set({ used_at_ms: nowMs, used_by: userId })
    .where('id', '=', inviteId)
    .where('used_at_ms', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new InviteUsed()
}

/** Whether an address, or its user, belongs to an account that is marked as an operator's. */
async function isOperator(
  transaction: Connection,
  email: string,
  known: ProviderUser | undefined,
): Promise<boolean> {
  const operator = await transaction
    .selectFrom('accounts')
    .select('id')
    .where('operator', '=', 1n)
    .where((account) =>
      account.or([account('email', '=', email), account('subject', '=', known?.id ?? null)]),
    )
    .executeTakeFirst()
  return operator !== undefined
}

/**
 * Sets a user's new password and ends all their logins in the same step: each login names its generation, so
 * requests in progress on any node cannot keep one.
 */
export async function recoverUser(
  transaction: Connection,
  known: ProviderUser,
  passwordHash: string,
): Promise<ProviderUser> {
  const updated = await transaction
    .updateTable('identity_users')
    .set(({ eb }) => ({ password_hash: passwordHash, login_generation: eb('login_generation', '+', 1n) }))
    .where('id', '=', known.id)
    .returning('login_generation')
    .executeTakeFirstOrThrow()
  return { ...known, passwordHash, loginGeneration: Number(updated.login_generation) }
}

/** @param namesake the user who had given this address without verifying it; they lose it */
export async function insertUser(
  transaction: Connection,
  user: NewProviderUser & { emailVerified: boolean },
  namesake: ProviderUser | undefined,
  nowMs: number,
): Promise<ProviderUser> {
  if (namesake !== undefined) await takeAddress(transaction, namesake.id, user.email)
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
  return { ...user, loginGeneration: 0 }
}

/** Takes an unverified address away from a user, who continues without one. */
export async function takeAddress(transaction: Connection, userId: string, email: string): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('identity_users')
    .set({ email: userId })
    .where('id', '=', userId)
    .where('email', '=', email)
    .where('email_verified', '=', 0n)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new TransactionConflict('the address was taken meanwhile')
  await transaction
    .updateTable('accounts')
    .set({ email: null, email_verified: 0 })
    .where('subject', '=', userId)
    .where('email', '=', email)
    .execute()
}

async function usableInvite(transaction: Connection, codeHash: string, nowMs: number) {
  return transaction
    .selectFrom('identity_invites')
    .select(['id', 'email', 'by_secret'])
    .where('code_hash', '=', codeHash)
    .where('used_at_ms', 'is', null)
    .where('expires_at_ms', '>', BigInt(nowMs))
    .executeTakeFirst()
}

export async function findByEmail(connection: Connection, email: string): Promise<ProviderUser | undefined> {
  return toProviderUser(
    await connection
      .selectFrom('identity_users')
      .selectAll()
      .where('email', '=', email)
      .whereRef('email', '<>', 'id')
      .executeTakeFirst(),
  )
}

export function toProviderUser(row: Selectable<IdentityUserTable> | undefined): ProviderUser | undefined {
  if (row === undefined) return undefined
  return {
    id: row.id,
    email: row.email === row.id ? null : row.email,
    emailVerified: row.email_verified === 1n,
    name: row.name,
    passwordHash: row.password_hash,
    loginGeneration: Number(row.login_generation),
  }
}
