import { invalidToken, type UserToken } from '@turnpike/identity'
import type { Database } from '../database/database.ts'
import type { Connection } from '../schema.ts'
import { inTransaction } from '../database/transaction.ts'

type Provision = (
  transaction: Connection,
  account: { subject: string; email?: string; displayName?: string },
) => Promise<{ id: string }>

interface Profile {
  email: string | null
  email_verified: bigint
  display_name: string | null
  claimed_name: string | null
}

interface Known {
  /** Undefined if this subject has no account yet. */
  account: (Profile & { id: string; status: string }) | undefined
  /** The user's data from the token, or the current data if it is a user of the embedded provider. */
  user: UserToken
}

/**
 * Returns the account id of a token's subject and updates the account's profile. If nothing has changed, as
 * nearly always, this is one query.
 * @throws {GatewayError} 401 if the token is from the embedded provider and its login has ended
 */
export async function signIn(database: Database, token: UserToken, provision: Provision): Promise<string> {
  const { account, user } = await findKnown(database.write, token)
  if (account !== undefined && Object.keys(profileChanges(account, user)).length === 0) return account.id
  return inTransaction(database, (transaction) => signInAnew(transaction, token, provision))
}

async function signInAnew(transaction: Connection, token: UserToken, provision: Provision): Promise<string> {
  const before = await findKnown(transaction, token)
  const { subject, email, emailVerified, name } = before.user
  const { id } = await provision(transaction, {
    subject,
    // The account created for an address goes only to its verified owner.
    ...(email !== null && emailVerified && { email }),
    ...(name !== null && { displayName: name }),
  })
  const { account, user } = await findKnown(transaction, token)
  const changes = account === undefined ? {} : profileChanges(account, user)
  if (Object.keys(changes).length > 0)
    await transaction.updateTable('accounts').set(changes).where('id', '=', id).execute()
  if (email !== null && emailVerified) await takeFromOthers(transaction, id, email)
  return id
}

/**
 * Unverifies the address on other accounts, so that none is found by it: an address may change hands, and the
 * issuer's latest statement counts.
 */
export async function takeFromOthers(
  transaction: Connection,
  accountId: string,
  email: string,
): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set({ email_verified: 0 })
    .where('email', '=', email)
    .where('email_verified', '=', 1n)
    .where('subject', 'is not', null)
    .where('id', '<>', accountId)
    .execute()
}

const accountColumns = [
  'accounts.id',
  'accounts.status',
  'accounts.email',
  'accounts.email_verified',
  'accounts.display_name',
  'accounts.claimed_name',
] as const

async function findKnown(connection: Connection, token: UserToken): Promise<Known> {
  if (token.loginGeneration !== undefined) return findLocalKnown(connection, token)
  const account = await connection
    .selectFrom('accounts')
    .select(accountColumns)
    .where('subject', '=', token.subject)
    .executeTakeFirst()
  return { account, user: token }
}

/** Tokens of the embedded provider may be an hour old, so the current session and user are read. */
async function findLocalKnown(connection: Connection, token: UserToken): Promise<Known> {
  const row = await connection
    .selectFrom('identity_users')
    .leftJoin('accounts', 'accounts.subject', 'identity_users.id')
    .select(accountColumns)
    .select([
      'identity_users.email as user_email',
      'identity_users.email_verified as user_email_verified',
      'identity_users.name as user_name',
      'identity_users.login_generation',
    ])
    .$if(token.sessionId !== undefined, (query) =>
      query
        .innerJoin('identity_sessions', 'identity_sessions.user_id', 'identity_users.id')
        .where('identity_sessions.id', '=', token.sessionId!)
        .where('identity_sessions.ended_at_ms', 'is', null),
    )
    .where('identity_users.id', '=', token.subject)
    .executeTakeFirst()
  if (row === undefined || Number(row.login_generation) !== token.loginGeneration)
    throw invalidToken('The session of this token has ended. Sign in again.')
  const { id, status, email_verified: verified } = row
  const email = row.user_email === token.subject ? null : row.user_email
  return {
    account:
      id === null || status === null || verified === null
        ? undefined
        : { ...row, id, status, email_verified: verified },
    user: { ...token, email, emailVerified: row.user_email_verified === 1n, name: row.user_name },
  }
}

/** What the account does not have yet. Fields that another issuer omits stay unchanged. */
function profileChanges(
  account: Profile & { status: string },
  { email, emailVerified, name, loginGeneration }: UserToken,
): Partial<Profile> {
  // The data of a closed account was deleted at its owner's request.
  if (account.status === 'closed') return {}
  const isTold = email !== null || loginGeneration !== undefined
  const isOtherEmail = isTold && email !== account.email
  const verified = emailVerified ? 1n : 0n
  // A verified address stays verified, even if this token does not vouch for it.
  const isNewlyVerified = emailVerified && email === account.email && account.email_verified !== verified
  return {
    ...((isOtherEmail || isNewlyVerified) && { email, email_verified: verified }),
    ...(name !== null && name !== account.claimed_name && { display_name: name, claimed_name: name }),
  }
}
