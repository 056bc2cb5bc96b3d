import type { UserToken } from '@turnpike/identity'
import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../database.ts'
import type { AccountTable, Schema } from '../schema.ts'
import { inTransaction } from '../transaction.ts'

type Provision = (
  transaction: Kysely<Schema>,
  account: { subject: string; email?: string; displayName?: string },
) => Promise<{ id: string }>

type Profile = Pick<Selectable<AccountTable>, 'email' | 'email_verified' | 'display_name' | 'claimed_name'>

/**
 * The identifier of the account of a token's subject, its profile up to date. Where nothing is new, which is
 * nearly always, that is one query.
 */
export async function signIn(database: Database, user: UserToken, provision: Provision): Promise<string> {
  const known = await accountOf(database.write, user.subject)
  if (known !== undefined && Object.keys(profileChanges(known, user)).length === 0) return known.id
  return inTransaction(database, async (transaction) => {
    const { subject, email, emailVerified, name } = user
    const { id } = await provision(transaction, {
      subject,
      // Only who owns an address gets the account that was made for it.
      ...(email !== null && emailVerified && { email }),
      ...(name !== null && { displayName: name }),
    })
    const account = await accountOf(transaction, subject)
    const changes = account === undefined ? {} : profileChanges(account, user)
    if (Object.keys(changes).length > 0)
      await transaction.updateTable('accounts').set(changes).where('id', '=', id).execute()
    return id
  })
}

function accountOf(connection: Kysely<Schema>, subject: string) {
  return connection
    .selectFrom('accounts')
    .select(['id', 'email', 'email_verified', 'display_name', 'claimed_name'])
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** What a token says that the account does not know yet. What it does not say, stays. */
function profileChanges(account: Profile, { email, emailVerified, name }: UserToken): Partial<Profile> {
  const isOtherEmail = email !== null && email !== account.email
  const verified = emailVerified ? 1n : 0n
  // A vouched-for address stays so, also where this token does not vouch for it anew.
  const isNewlyVerified = emailVerified && email === account.email && account.email_verified !== verified
  return {
    ...((isOtherEmail || isNewlyVerified) && { email, email_verified: verified }),
    ...(name !== null && name !== account.claimed_name && { display_name: name, claimed_name: name }),
  }
}
