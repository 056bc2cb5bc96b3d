import { createHash } from 'node:crypto'
import type {
  MailedCode,
  MailedCodeLimits,
  MailedCodePurpose,
  MailedCodeStore,
  NewPasswordOf,
  ProofRefusal,
  ProviderUser,
} from '@turnpike/identity'
import type { Selectable } from 'kysely'
import { TransactionConflict } from '../database/database-error.ts'
import type { Database } from '../database/database.ts'
import { engineOf } from '../database/engine.ts'
import { publish } from '../notices.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { dayMs } from '../usage/period.ts'
import { lockAddress } from './lock-address.ts'
import type { IdentityMailedCodeTable } from './tables.ts'
import { findByEmail, toProviderUser, insertUser, recoverUser, takeAddress } from './users.ts'

/** Codes mailed to users of the embedded provider. */
export function mailedCodeStore(database: Database): MailedCodeStore {
  const { write } = database
  return {
    add: (code, limits) => inTransaction(database, (transaction) => add(transaction, code, limits)),
    async remove(codeHash) {
      await write.deleteFrom('identity_mailed_codes').where('code_hash', '=', codeHash).execute()
    },
    async pendingEmail(userId, nowMs) {
      const row = await write
        .selectFrom('identity_mailed_codes')
        .innerJoin('identity_users', 'identity_users.id', 'user_id')
        .select('identity_mailed_codes.email')
        .where('user_id', '=', userId)
        .where('purpose', '=', 'change')
        .where('used_at_ms', 'is', null)
        .where('expires_at_ms', '>', BigInt(nowMs))
        .whereRef('identity_mailed_codes.login_generation', '=', 'identity_users.login_generation')
        .orderBy('identity_mailed_codes.created_at_ms', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.email ?? null
    },
    prove: (codeHash, userId, nowMs) =>
      inTransaction(database, (transaction) => prove(transaction, { codeHash, userId, nowMs })),
    maySetPassword: async (codeHash, nowMs) => (await ownerForPassword(write, codeHash, nowMs)) !== undefined,
    setPassword: (codeHash, password, nowMs) =>
      inTransaction(database, (transaction) => setPassword(transaction, { ...password, codeHash, nowMs })),
    async removeExpired(beforeMs) {
      await write
        .deleteFrom('identity_mailed_codes')
        .where('created_at_ms', '<', BigInt(beforeMs - dayMs))
        .execute()
    },
  }
}

type Row = Selectable<IdentityMailedCodeTable>

async function add(
  transaction: Connection,
  { codeHash, userId, purpose, email, loginGeneration, createdAtMs, expiresAtMs }: MailedCode,
  limits: MailedCodeLimits,
): Promise<number> {
  // Locked, so that concurrent mails count each other, and a user who was just deleted gets none.
  if ((await lockUser(transaction, userId)) === undefined) return dayMs / 1000
  await lockAddress(transaction, email)
  const addressHash = hashOfAddress(email)
  const waitSeconds =
    (await waitOf(transaction, { purpose, addressHash }, limits.toAddress, limits, createdAtMs)) ||
    (await waitOf(transaction, { purpose, userId }, limits.ofUser, limits, createdAtMs))
  if (waitSeconds > 0) return waitSeconds
  if (purpose === 'change')
    await transaction
      .updateTable('identity_mailed_codes')
      .set({ used_at_ms: createdAtMs })
      .where('user_id', '=', userId)
      .where('purpose', '=', 'change')
      .where('used_at_ms', 'is', null)
      .execute()
  await transaction
    .insertInto('identity_mailed_codes')
    .values({
      code_hash: codeHash,
      user_id: userId,
      purpose,
      email,
      address_hash: addressHash,
      login_generation: loginGeneration,
      created_at_ms: createdAtMs,
      expires_at_ms: expiresAtMs,
      used_at_ms: null,
    })
    .execute()
  return 0
}

/** Seconds until another mail may be sent, within 24 hours; 0: now. */
async function waitOf(
  transaction: Connection,
  counted: { purpose: MailedCodePurpose } & ({ addressHash: string } | { userId: string }),
  most: number,
  { thenEveryMs = dayMs }: MailedCodeLimits,
  nowMs: number,
): Promise<number> {
  const rows = await transaction
    .selectFrom('identity_mailed_codes')
    .select('created_at_ms')
    .where('purpose', '=', counted.purpose)
    .where('created_at_ms', '>', BigInt(nowMs - dayMs))
    .where((row) =>
      'userId' in counted
        ? row('user_id', '=', counted.userId)
        : row('address_hash', '=', counted.addressHash),
    )
    .orderBy('created_at_ms', 'desc')
    .limit(most)
    .execute()
  const [latest, oldest] = [rows[0], rows[most - 1]]
  if (latest === undefined || oldest === undefined) return 0
  const nextMs = Math.min(Number(oldest.created_at_ms) + dayMs, Number(latest.created_at_ms) + thenEveryMs)
  return Math.max(0, Math.ceil((nextMs - nowMs) / 1000))
}

function hashOfAddress(email: string): string {
  return createHash('sha256').update(email).digest('hex')
}

async function findCode(
  connection: Connection,
  codeHash: string,
  purposes: readonly MailedCodePurpose[],
  nowMs: number,
): Promise<(Row & { email: string }) | undefined> {
  const row = await connection
    .selectFrom('identity_mailed_codes')
    .selectAll()
    .where('code_hash', '=', codeHash)
    .where('purpose', 'in', purposes)
    .where('expires_at_ms', '>', BigInt(nowMs))
    .executeTakeFirst()
  return row === undefined || row.email === null ? undefined : { ...row, email: row.email }
}

/** Locks the user until the end of the transaction. */
async function lockUser(connection: Connection, userId: string): Promise<ProviderUser | undefined> {
  return toProviderUser(
    await connection
      .selectFrom('identity_users')
      .selectAll()
      .where('id', '=', userId)
      .$if(engineOf(connection) === 'postgres', (query) => query.forUpdate())
      .executeTakeFirst(),
  )
}

async function useUp(transaction: Connection, codeHash: string, nowMs: number): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('identity_mailed_codes')
    .set({ used_at_ms: nowMs })
    .where('code_hash', '=', codeHash)
    .where('used_at_ms', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new TransactionConflict('the code was used meanwhile')
}

async function prove(
  transaction: Connection,
  { codeHash, userId, nowMs }: { codeHash: string; userId: string; nowMs: number },
): Promise<{ email: string } | { refused: ProofRefusal }> {
  const code = await findCode(transaction, codeHash, ['verify', 'change'], nowMs)
  if (code === undefined) return { refused: 'unknown' }
  if (code.user_id !== userId) return { refused: 'other-user' }
  const user = await lockUser(transaction, userId)
  if (user === undefined) return { refused: 'unknown' }
  const { email } = code
  const isProved = user.email === email && user.emailVerified
  // A repeated click on the link succeeds as well.
  if (code.used_at_ms !== null) return isProved ? { email } : { refused: 'unknown' }
  if (code.purpose === 'verify' && user.email !== email) return { refused: 'unknown' }
  if (code.purpose === 'change') {
    // All logins were ended since, possibly the one that requested the change.
    if (Number(code.login_generation) !== user.loginGeneration) return { refused: 'unknown' }
    const other = await findByEmail(transaction, email)
    if (other !== undefined && other.id !== userId) {
      if (other.emailVerified) return { refused: 'email-taken' }
      await takeAddress(transaction, other.id, email)
    }
  }
  await useUp(transaction, codeHash, nowMs)
  await transaction
    .updateTable('identity_users')
    .set({ email, email_verified: 1 })
    .where('id', '=', userId)
    .execute()
  return { email }
}

interface PasswordOwner {
  code: Row & { email: string }
  user: ProviderUser
}

/** Undefined if the code is unknown, used, expired or superseded. */
async function ownerForPassword(
  connection: Connection,
  codeHash: string,
  nowMs: number,
): Promise<PasswordOwner | undefined> {
  const code = await findCode(connection, codeHash, ['password'], nowMs)
  if (code === undefined || code.used_at_ms !== null) return undefined
  const user = await lockUser(connection, code.user_id)
  if (user?.email !== code.email || user.loginGeneration !== Number(code.login_generation)) return undefined
  return { code, user }
}

async function setPassword(
  transaction: Connection,
  reset: { codeHash: string; newUserId: string; passwordHash: string; nowMs: number },
): Promise<NewPasswordOf | undefined> {
  const { codeHash, newUserId, passwordHash, nowMs } = reset
  const owner = await ownerForPassword(transaction, codeHash, nowMs)
  if (owner === undefined) return undefined
  await useUp(transaction, codeHash, nowMs)
  const { user } = owner
  const { email } = owner.code
  if (!user.emailVerified) {
    const claimed = { id: newUserId, email, name: null, passwordHash, emailVerified: true }
    return { user: await insertUser(transaction, claimed, user, nowMs), accountId: null, keyIds: [] }
  }
  const recovered = await recoverUser(transaction, user, passwordHash)
  return { user: recovered, ...(await endDevices(transaction, user.id)) }
}

/** Ends device sign-ins: whoever knew the old password may have signed in devices with it. */
async function endDevices(
  transaction: Connection,
  userId: string,
): Promise<Pick<NewPasswordOf, 'accountId' | 'keyIds'>> {
  const account = await transaction
    .selectFrom('accounts')
    .select('id')
    .where('subject', '=', userId)
    .executeTakeFirst()
  if (account === undefined) return { accountId: null, keyIds: [] }
  const ended = await transaction
    .deleteFrom('sign_ins')
    .where('account_id', '=', account.id)
    .returning('key_id')
    .execute()
  const keyIds = [...new Set(ended.map((row) => row.key_id))]
  for (const keyId of keyIds) await publish(transaction, { about: 'key', keyId })
  return { accountId: account.id, keyIds }
}
