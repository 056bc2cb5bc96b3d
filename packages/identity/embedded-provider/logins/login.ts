import type { ProviderUser, ProviderUserStore } from '../stores.ts'

/*
 * `oidc-provider` copies one identifier of the login from the session to grants, codes and refresh tokens.
 * Our identifier includes the login's generation, so that raising the user's generation invalidates all of
 * these, wherever and on whichever node they were written.
 */

/** `usr_…`, followed by a dot and the generation unless that is the first. */
export function loginOf({ id, loginGeneration }: Pick<ProviderUser, 'id' | 'loginGeneration'>): string {
  return loginGeneration === 0 ? id : `${id}.${loginGeneration}`
}

/** The subject of the tokens of a login. */
export function userIdOf(login: string): string {
  return login.split('.', 1)[0]!
}

/** The user who logged in, in their current state; undefined if the login has ended. */
export async function userOfLogin(
  users: Pick<ProviderUserStore, 'find'>,
  login: string,
): Promise<ProviderUser | undefined> {
  const user = await users.find(userIdOf(login))
  return user !== undefined && loginOf(user) === login ? user : undefined
}
