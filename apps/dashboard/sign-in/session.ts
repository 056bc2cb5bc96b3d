import { setAccess, type Access } from '../api/access.ts'
import { currentOrganization, accountOfAddress, forgetActing, loseOrganization } from '../api/acting.ts'
import { forgetColors } from '../charts/colors.ts'
import { callbackPath, readDiscovery, type Discovery } from './discovery.ts'
import { readUser, removeUsers, type KeptUser } from './kept-user.ts'

/**
 * Identifies this browser's sign-in. All tabs compare it with their own; the one that signs out removes it.
 * It is a random marker: with it, a new tab signs in without a prompt.
 */
const signedInBefore = 'turnpike.signed-in-before'
/** The sign-in that this tab's tokens belong to. */
const ownSignIn = 'turnpike.sign-in'
const triedQuietly = 'turnpike.tried-quietly'
/** Cached per tab, so that its next pages start without requesting it again. */
const knownDiscovery = 'turnpike.discovery'
/** A token that expires sooner is renewed first. */
const minSecondsLeft = 30

/** The signed-in user. Tokens are only in this tab's session storage. */
export interface Session {
  /** Undefined: nobody is signed in. */
  user: KeptUser | undefined
  /** The identity provider's error message, if the last sign-in failed. */
  problem: string | undefined
  /** Whether models are visible without a sign-in. */
  hasPublicModels: boolean
  signIn(): Promise<void>
  signOut(): Promise<void>
}

/**
 * Finishes a sign-in that returns from the identity provider, or resumes this tab's.
 * @throws if the gateway does not respond
 */
export async function openSession(): Promise<Session> {
  const known = sessionStorage.getItem(knownDiscovery)
  const discovery = known === null ? await readDiscovery() : (JSON.parse(known) as Discovery)
  const session: Session = {
    user: undefined,
    problem: undefined,
    hasPublicModels: discovery.public_models,
    signIn: () => signIn(discovery),
    signOut: () => signOut(discovery),
  }
  if (location.pathname === callbackPath) await finishSignIn(discovery, session)
  else session.user = userOfTab(discovery)
  if (session.user === undefined && maySignInQuietly()) await signInQuietly(discovery)
  if (session.user !== undefined) {
    const named = localStorage.getItem(signedInBefore) ?? crypto.randomUUID()
    localStorage.setItem(signedInBefore, named)
    sessionStorage.setItem(ownSignIn, named)
    sessionStorage.setItem(knownDiscovery, JSON.stringify(discovery))
    leaveWithOthers()
  }
  setAccess(accessOf(discovery, session))
  const addressed = accountOfAddress()
  if (session.user !== undefined && addressed !== undefined)
    await (await import('./act-for.ts')).actForAddressed(addressed)
  return session
}

/** The code that talks to the identity provider is only loaded when needed. */
async function openProvider(discovery: Discovery) {
  const provider = await import('./provider.ts')
  return { provider, manager: provider.managerOf(discovery) }
}

async function signIn(discovery: Discovery): Promise<void> {
  const { provider, manager } = await openProvider(discovery)
  await provider.signIn(manager)
}

async function finishSignIn(discovery: Discovery, session: Session): Promise<void> {
  const { provider, manager } = await openProvider(discovery)
  const { user, problem } = await provider.finishSignIn(manager)
  if (user !== undefined) sessionStorage.removeItem(triedQuietly)
  session.user = user
  session.problem = problem
}

/** Tried once per tab: with a sign-in in another tab, the user should not have to press a button. */
function maySignInQuietly(): boolean {
  return (
    location.pathname !== callbackPath &&
    localStorage.getItem(signedInBefore) !== null &&
    sessionStorage.getItem(triedQuietly) === null
  )
}

async function signInQuietly(discovery: Discovery): Promise<void> {
  sessionStorage.setItem(triedQuietly, 'yes')
  const { provider, manager } = await openProvider(discovery)
  await provider.signInQuietly(manager)
}

/** The user of this tab's tokens; undefined if another tab has ended that sign-in. */
function userOfTab(discovery: Discovery): KeptUser | undefined {
  if (isSignInOver()) {
    forgetActing()
    removeUsers()
  }
  return readUser(discovery)
}

/** True if another tab has signed out since; somebody else may have signed in. */
function isSignInOver(): boolean {
  const own = sessionStorage.getItem(ownSignIn)
  return own !== null && own !== localStorage.getItem(signedInBefore)
}

/** True if no tab has signed out since this tab signed in. */
export function isSignedInStill(): boolean {
  return sessionStorage.getItem(ownSignIn) !== null && !isSignInOver()
}

/** True once this tab has started to reload. */
let isLeaving = false

/**
 * A sign-out applies to every tab at once: tokens and everything on screen are removed. A suspended tab
 * notices when it resumes.
 */
function leaveWithOthers(): void {
  const leave = (): void => {
    if (!isSignInOver() || isLeaving) return
    isLeaving = true
    forgetColors()
    forgetActing()
    removeUsers()
    location.reload()
  }
  window.addEventListener('storage', leave)
  window.addEventListener('pageshow', leave)
  document.addEventListener('visibilitychange', leave)
}

async function signOut(discovery: Discovery): Promise<void> {
  const { provider, manager } = await openProvider(discovery)
  isLeaving = true
  forgetColors()
  forgetActing()
  localStorage.removeItem(signedInBefore)
  sessionStorage.removeItem(ownSignIn)
  sessionStorage.removeItem(knownDiscovery)
  await provider.signOut(manager)
}

/** How the API client gets its token. */
function accessOf(discovery: Discovery, session: Session): Access {
  let renewal: Promise<string | undefined> | undefined
  return {
    hasUser: session.user !== undefined,
    organization: currentOrganization,
    loseOrganization,
    token: async () => {
      const user = isSignInOver() ? undefined : readUser(discovery)
      const secondsLeft = (user?.expires_at ?? 0) - Date.now() / 1000
      return secondsLeft > minSecondsLeft ? user?.access_token : undefined
    },
    // A refresh token works once: requests that fail together share one renewal.
    renew: () =>
      (renewal ??= renew(discovery, session).finally(() => {
        renewal = undefined
      })),
  }
}

/**
 * Gets a new token by the refresh token. If that is no longer valid, reloads the page, which signs in
 * without a prompt if the provider still has a session.
 * @throws if the provider cannot be reached
 */
async function renew(discovery: Discovery, session: Session): Promise<string | undefined> {
  // Whatever is wrong, the next page reads the discovery again.
  sessionStorage.removeItem(knownDiscovery)
  if (userOfTab(discovery) !== undefined) {
    const { provider, manager } = await openProvider(discovery)
    const user = await provider.renewUser(manager)
    if (user !== undefined) {
      session.user = user
      return user.access_token
    }
  }
  removeUsers()
  isLeaving = true
  location.reload()
  return undefined
}
