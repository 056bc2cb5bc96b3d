import type { Connection } from '../schema.ts'
import { endLogins, statesOf } from './sessions.ts'

/** A hash that matches no password (`isPassword`). */
const noPassword = ''

/**
 * Deletes the login of a user of the embedded provider, with everything signed in by it. Users of other
 * issuers are not stored here. The row stays, without personal data, because an invitation may refer to it.
 * Its tokens become invalid.
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
  // The mails to the address still count against its limit, by its hash only.
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
