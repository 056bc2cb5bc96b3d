import type { Context } from '../../context.ts'
import { failureOf } from '../../failure.ts'
import { readCredentials, removeCredentials, type Credentials } from '../../files/credentials.ts'
import { removeLastKey } from '../../files/last-key.ts'
import { record } from '../../output/result.ts'
import { command, flag } from '../../program/command.ts'
import { revokeLogin } from '../../sign-in/revocation.ts'
import { withCredentialsLock } from '../../sign-in/session.ts'

export default command({
  details: [
    'Also revokes the login at its issuer, if possible. API keys stay valid; revoke them with ' +
      '`turnpike keys revoke`.',
  ],
  options: { keepKey: flag('Keep the cached API key') },
  fields: ['logged_out', 'revoked', 'key_removed'],
  examples: [
    { does: 'Log out', line: 'turnpike logout' },
    { does: 'Log out, but keep using the cached key', line: 'turnpike logout --keep-key' },
  ],
  run: (context, { keepKey }) =>
    withCredentialsLock(context, async () => {
      const { directory, apiUrl, output } = context
      const credentials = await readCredentials(directory, apiUrl)
      const isRevoked = credentials !== undefined && (await tryRevoke(context, credentials))
      await removeCredentials(directory, apiUrl)
      const keyRemoved = !keepKey && (await removeLastKey(directory))
      if (credentials === undefined) output.say(`Not logged in to ${apiUrl}.`)
      else output.done(`Logged out of ${apiUrl}`)
      if (keyRemoved) output.say('The cached API key was removed from this machine. It is still valid.')
      const done = { logged_out: credentials !== undefined, revoked: isRevoked, key_removed: keyRemoved }
      return record(done, () => '')
    }),
})

/** If the issuer is unavailable, the login is removed all the same, and the output says so. */
async function tryRevoke(context: Context, credentials: Credentials): Promise<boolean> {
  try {
    return await revokeLogin(context, credentials)
  } catch (error) {
    context.signal.throwIfAborted()
    context.output.warn(`The login could not be revoked at its issuer: ${failureOf(error).message}`)
    return false
  }
}
