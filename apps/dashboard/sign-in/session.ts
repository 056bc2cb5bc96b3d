import { ErrorResponse, UserManager, WebStorageStateStore, type User } from 'oidc-client-ts'
import { setAccess, type Access } from '../api/access.ts'
import { readDiscovery, type Discovery } from './discovery.ts'

/**
 * Names this browser's sign-in: all tabs hold to it, until one of them signs out and takes it away. It tells
 * nothing else. Who finds it is signed in without being asked.
 */
const signedInBefore = 'turnpike.signed-in-before'
/** The one that this tab's tokens are of. */
const ownSignIn = 'turnpike.sign-in'
const triedQuietly = 'turnpike.tried-quietly'
/** Where this tab is signed in: its pages begin without asking for it again. */
const knownDiscovery = 'turnpike.discovery'
const callbackPath = '/dashboard/callback'
/** A token that ends sooner is renewed first. */
const minSecondsLeft = 30

interface ReturnState {
  returnTo: string
}

/** Who is signed in, and what can be done about it. Tokens are in this tab's session storage alone. */
export interface Session {
  /** Undefined: nobody. */
  user: User | undefined
  /** What the identity provider said where the last sign-in failed. */
  problem: string | undefined
  signIn(): Promise<void>
  signOut(): Promise<void>
}

/**
 * Finishes a sign-in that comes back from the identity provider, or takes up the one of this tab.
 * @throws where the gateway does not answer
 */
export async function openSession(): Promise<Session> {
  const known = sessionStorage.getItem(knownDiscovery)
  const discovery = known === null ? await readDiscovery() : (JSON.parse(known) as Discovery)
  const manager = managerOf(discovery)
  const session: Session = {
    user: undefined,
    problem: undefined,
    signIn: () => manager.signinRedirect({ state: returnState() }),
    signOut: () => signOut(manager),
  }
  if (location.pathname === callbackPath) await finishSignIn(manager, session)
  else session.user = await userOfTab(manager)
  if (session.user === undefined && maySignInQuietly()) await signInQuietly(manager)
  if (session.user !== undefined) {
    const signIn = localStorage.getItem(signedInBefore) ?? crypto.randomUUID()
    localStorage.setItem(signedInBefore, signIn)
    sessionStorage.setItem(ownSignIn, signIn)
    sessionStorage.setItem(knownDiscovery, JSON.stringify(discovery))
    leaveWithOthers(manager)
  }
  setAccess(accessOf(manager, session))
  return session
}

function managerOf({ issuer, client_id, scopes, resource }: Discovery): UserManager {
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

async function finishSignIn(manager: UserManager, session: Session): Promise<void> {
  let returnTo = '/'
  try {
    session.user = await manager.signinRedirectCallback()
    sessionStorage.removeItem(triedQuietly)
    returnTo = (session.user.state as ReturnState | undefined)?.returnTo ?? '/'
  } catch (error) {
    if (error instanceof ErrorResponse) returnTo = (error.state as ReturnState | undefined)?.returnTo ?? '/'
    if (!isQuietRefusal(error)) session.problem = error instanceof Error ? error.message : String(error)
  }
  // A path of this page alone: what came back is not followed elsewhere.
  history.replaceState(null, '', /^\/(?!\/)/.test(returnTo) ? returnTo : '/')
}

/** Nobody is signed in at the provider: no mistake, but the reason to show the page. */
function isQuietRefusal(error: unknown): boolean {
  return (
    error instanceof ErrorResponse &&
    /^(login|interaction|consent)_required$|^access_denied$/.test(error.error ?? '')
  )
}

/** Once a tab: a new tab of somebody who is signed in should not ask them to press a button. */
function maySignInQuietly(): boolean {
  return (
    location.pathname !== callbackPath &&
    localStorage.getItem(signedInBefore) !== null &&
    sessionStorage.getItem(triedQuietly) === null
  )
}

async function signInQuietly(manager: UserManager): Promise<void> {
  sessionStorage.setItem(triedQuietly, 'yes')
  await manager.signinRedirect({ prompt: 'none', state: returnState() })
  // The page is being left: nothing is shown until it is.
  await new Promise(() => undefined)
}

/** The user of this tab's tokens; undefined where they are of a sign-in that has ended in another tab. */
async function userOfTab(manager: UserManager): Promise<User | undefined> {
  if (isSignInOver()) await manager.removeUser()
  return (await manager.getUser()) ?? undefined
}

/** Another tab has signed out since, and somebody else may have signed in. */
function isSignInOver(): boolean {
  const own = sessionStorage.getItem(ownSignIn)
  return own !== null && own !== localStorage.getItem(signedInBefore)
}

/**
 * Who signs out does so in every tab, at once: their tokens and all that they show are gone. A tab that was
 * asleep meanwhile finds out as it is woken.
 */
function leaveWithOthers(manager: UserManager): void {
  const leave = (): void => {
    if (!isSignInOver() || isLeaving) return
    isLeaving = true
    void manager.removeUser().finally(() => location.reload())
  }
  window.addEventListener('storage', leave)
  window.addEventListener('pageshow', leave)
  document.addEventListener('visibilitychange', leave)
}

/** This tab is about to be another page. */
let isLeaving = false

async function signOut(manager: UserManager): Promise<void> {
  isLeaving = true
  localStorage.removeItem(signedInBefore)
  sessionStorage.removeItem(ownSignIn)
  sessionStorage.removeItem(knownDiscovery)
  // Where the provider is away, this browser forgets the tokens all the same.
  const metadata = await manager.metadataService.getMetadata().catch(() => undefined)
  await manager.revokeTokens(['refresh_token']).catch(() => undefined)
  if (metadata?.end_session_endpoint !== undefined) return manager.signoutRedirect()
  await manager.removeUser()
  location.assign('/')
}

/** What the API's client asks for a token. */
function accessOf(manager: UserManager, session: Session): Access {
  let renewal: Promise<string | undefined> | undefined
  return {
    token: async () => {
      if (isSignInOver()) return undefined
      const user = await manager.getUser()
      return (user?.expires_in ?? 0) > minSecondsLeft ? user?.access_token : undefined
    },
    // Refresh tokens are good for one use: requests that fail together share one renewal.
    renew: () =>
      (renewal ??= renew(manager, session).finally(() => {
        renewal = undefined
      })),
  }
}

/**
 * A new token by the refresh token. Where that holds no longer, the page begins anew, quietly where the
 * provider still knows the user.
 * @throws where the provider cannot be asked now
 */
async function renew(manager: UserManager, session: Session): Promise<string | undefined> {
  // Whatever is wrong, the next page asks where to sign in.
  sessionStorage.removeItem(knownDiscovery)
  const before = await userOfTab(manager)
  if (before?.refresh_token !== undefined) {
    try {
      session.user = (await manager.signinSilent()) ?? undefined
      return session.user?.access_token
    } catch (error) {
      const isPassing = error instanceof ErrorResponse ? error.error === 'server_error' : true
      if (isPassing) throw error
    }
  }
  await manager.removeUser()
  location.reload()
  return undefined
}

function returnState(): ReturnState {
  return { returnTo: location.pathname + location.search }
}
