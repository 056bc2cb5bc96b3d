import type { ProviderUser, ProviderUserStore } from '../stores.ts'

/*
 * `oidc-provider` carries one identifier of who has logged in from the session through grants, codes and
 * refresh tokens. Ours says of which generation the login is, so that none of these is of use once the user's
 * is raised: however they came to be written, and on whichever node.
 */

/** `usr_…`, and behind a dot the generation, unless it is the first. */
export function loginOf({ id, loginGeneration }: Pick<ProviderUser, 'id' | 'loginGeneration'>): string {
  return loginGeneration === 0 ? id : `${id}.${loginGeneration}`
}

/** The subject of a login's tokens. */
export function userIdOf(login: string): string {
  return login.split('.', 1)[0]!
}

/** The user who has logged in, as they are now; undefined where that login has ended. */
export async function userOfLogin(
  users: Pick<ProviderUserStore, 'find'>,
  login: string,
): Promise<ProviderUser | undefined> {
  const user = await users.find(userIdOf(login))
  return user !== undefined && loginOf(user) === login ? user : undefined
}
