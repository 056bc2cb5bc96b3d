import { ErrorResponse, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import { callbackPath, type Discovery } from './discovery.ts'
import type { KeptUser } from './kept-user.ts'

interface ReturnState {
  returnTo: string
}

/** What a sign-in came to. */
export interface SignedIn {
  user: KeptUser | undefined
  /** In the words of the identity provider. */
  problem: string | undefined
}

/** The identity provider, as it is asked from here. Tokens are in this tab's session storage alone. */
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
    // Refresh tokens are good for one use: the first request that needs a token renews it, and nobody else.
    automaticSilentRenew: false,
    loadUserInfo: false,
    // RFC 8707, section 2.2: a refreshed token is for the same resource.
    extraTokenParams: { resource },
  })
}

export function signIn(manager: UserManager): Promise<void> {
  return manager.signinRedirect({ state: returnState() })
}

/** Where the provider still knows the user, without a question. */
export async function signInQuietly(manager: UserManager): Promise<void> {
  await manager.signinRedirect({ prompt: 'none', state: returnState() })
  // The page is being left: nothing is shown until it is.
  await new Promise(() => undefined)
}

/** The end of a sign-in, on the page that the provider leads back to. */
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
  // A path of this page alone: what came back is not followed elsewhere.
  history.replaceState(null, '', /^\/(?!\/)/.test(returnTo) ? returnTo : '/')
  return found
}

/** Nobody is signed in at the provider: no mistake, but the reason to show the page. */
function isQuietRefusal(error: unknown): boolean {
  return (
    error instanceof ErrorResponse &&
    /^(login|interaction|consent)_required$|^access_denied$/.test(error.error ?? '')
  )
}

/** At the provider too. Where it is away, this browser forgets the tokens all the same. */
export async function signOut(manager: UserManager): Promise<void> {
  const metadata = await manager.metadataService.getMetadata().catch(() => undefined)
  await manager.revokeTokens(['refresh_token']).catch(() => undefined)
  if (metadata?.end_session_endpoint !== undefined) return manager.signoutRedirect()
  await manager.removeUser()
  location.assign('/')
}

/**
 * A new token by the refresh token; undefined where that holds no longer.
 * @throws where the provider cannot be asked now
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
  // An invitation's code stands behind the `#`.
  return { returnTo: location.pathname + location.search + location.hash }
}
