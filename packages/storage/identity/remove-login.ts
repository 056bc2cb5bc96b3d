import type { Connection } from '../schema.ts'
import { endLogins, statesOf } from './sessions.ts'

/** Of no password (`isPassword`). */
const noPassword = ''

/**
 * Takes a user of the embedded provider away, with all that is signed in. Others are none of ours.
 * The row stays, without anything of the person: an invitation may name it. Its tokens are of no use.
 */
export async function removeLogin(transaction: Connection, userId: string): Promise<void> {
  const user = await transaction
    .updateTable('identity_users')
    .set({ email: userId, email_verified: 0, name: null, password_hash: noPassword })
    .where('id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  if (user === undefined) return
  await endLogins(transaction, userId, undefined)
  const sessions = await transaction
    .deleteFrom('identity_sessions')
    .where('user_id', '=', userId)
    .returning(['id', 'browser_uid'])
    .execute()
  for (const session of sessions)
    for (const { kind, id } of await statesOf(transaction, session))
      await transaction.deleteFrom('identity_states').where('kind', '=', kind).where('id', '=', id).execute()
  const grants = transaction.selectFrom('identity_states').select('id').where('kind', '=', 'Grant')
  const own = await grants.where('uid', '=', userId).execute()
  for (const { id } of own) {
    await transaction.deleteFrom('identity_states').where('grant_id', '=', id).execute()
    await transaction.deleteFrom('identity_states').where('kind', '=', 'Grant').where('id', '=', id).execute()
  }
  // How often an address was written to is counted on, without the address.
  await transaction
    .updateTable('identity_mailed_codes')
    .set({ email: null })
    .where('user_id', '=', userId)
    .execute()
  await transaction
    .updateTable('identity_invites')
    .set({ email: null })
    .where('used_by', '=', userId)
    .execute()
}
