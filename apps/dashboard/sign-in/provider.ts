import { ErrorResponse, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import { callbackPath, type Discovery } from './discovery.ts'
import type { KeptUser } from './kept-user.ts'

interface ReturnState {
  returnTo: string
}

/** The result of a sign-in. */
export interface SignedIn {
  user: KeptUser | undefined
  /** The identity provider's error message. */
  problem: string | undefined
}

/** The client of the identity provider. Tokens are only in this tab's session storage. */
export function managerOf({ issuer, client_id, scopes, resource }: Discovery): UserManager {
  return new UserManager({
    authority: issuer,
    client_id,
    scope: scopes.join(' '),
    resource,
    redirect_uri: location.origin + callbackPath,
    post_logout_redirect_uri: `${location.origin}/`,
    userStore: new WebStorageStateStore({ store: sessionStorage }),
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    // A refresh token works once: only the first request that needs a token renews it.
    automaticSilentRenew: false,
    loadUserInfo: false,
    // RFC 8707, section 2.2: a refreshed token is for the same resource.
    extraTokenParams: { resource },
  })
}

export function signIn(manager: UserManager): Promise<void> {
  return manager.signinRedirect({ state: returnState() })
}

/** Signs in without interaction, if the provider still has a session of the user. */
export async function signInQuietly(manager: UserManager): Promise<void> {
  await manager.signinRedirect({ prompt: 'none', state: returnState() })
  // The browser is leaving the page: show nothing until it has.
  await new Promise(() => undefined)
}

/** Finishes a sign-in on the page that the provider redirects to. */
export async function finishSignIn(manager: UserManager): Promise<SignedIn> {
  const found: SignedIn = { user: undefined, problem: undefined }
  let returnTo = '/'
  try {
    const user = await manager.signinRedirectCallback()
    found.user = user
    returnTo = (user.state as ReturnState | undefined)?.returnTo ?? '/'
  } catch (error) {
    if (error instanceof ErrorResponse) returnTo = (error.state as ReturnState | undefined)?.returnTo ?? '/'
    if (!isQuietRefusal(error)) found.problem = error instanceof Error ? error.message : String(error)
  }
  // Only accept a path of this site: never redirect elsewhere.
  history.replaceState(null, '', /^\/(?!\/)/.test(returnTo) ? returnTo : '/')
  return found
}

/** There is no session at the provider. Not an error, but the reason to show the sign-in page. */
function isQuietRefusal(error: unknown): boolean {
  return (
    error instanceof ErrorResponse &&
    /^(login|interaction|consent)_required$|^access_denied$/.test(error.error ?? '')
  )
}

/** Also signs out at the provider. If that is unreachable, this browser forgets the tokens all the same. */
export async function signOut(manager: UserManager): Promise<void> {
  const metadata = await manager.metadataService.getMetadata().catch(() => undefined)
  await manager.revokeTokens(['refresh_token']).catch(() => undefined)
  if (metadata?.end_session_endpoint !== undefined) return manager.signoutRedirect()
  await manager.removeUser()
  location.assign('/')
}

/**
 * Gets new tokens by the refresh token; undefined if that is no longer valid.
 * @throws if the provider cannot be reached
 */
export async function renewUser(manager: UserManager): Promise<KeptUser | undefined> {
  const before = await manager.getUser()
  if (before?.refresh_token === undefined) return undefined
  try {
    return (await manager.signinSilent()) ?? undefined
  } catch (error) {
    const isPassing = error instanceof ErrorResponse ? error.error === 'server_error' : true
    if (isPassing) throw error
    return undefined
  }
}

function returnState(): ReturnState {
  // The fragment has the code of an invitation.
  return { returnTo: location.pathname + location.search + location.hash }
}
