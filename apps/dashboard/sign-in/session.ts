import { setAccess, type Access } from '../api/access.ts'
import { currentOrganization, accountOfAddress, forgetActing, loseOrganization } from '../api/acting.ts'
import { forgetColors } from '../charts/colors.ts'
import { callbackPath, readDiscovery, type Discovery } from './discovery.ts'
import { readUser, removeUsers, type KeptUser } from './kept-user.ts'

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
/** A token that ends sooner is renewed first. */
const minSecondsLeft = 30

/** Who is signed in, and what can be done about it. Tokens are in this tab's session storage alone. */
export interface Session {
  /** Undefined: nobody. */
  user: KeptUser | undefined
  /** What the identity provider said where the last sign-in failed. */
  problem: string | undefined
  /** Whether models are shown to whoever is not signed in. */
  hasPublicModels: boolean
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

/** What asks the identity provider comes where it is asked. */
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

/** Once a tab: a new tab of somebody who is signed in should not ask them to press a button. */
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

/** The user of this tab's tokens; undefined where they are of a sign-in that has ended in another tab. */
function userOfTab(discovery: Discovery): KeptUser | undefined {
  if (isSignInOver()) {
    forgetActing()
    removeUsers()
  }
  return readUser(discovery)
}

/** Another tab has signed out since, and somebody else may have signed in. */
function isSignInOver(): boolean {
  const own = sessionStorage.getItem(ownSignIn)
  return own !== null && own !== localStorage.getItem(signedInBefore)
}

/** Nobody has signed out since this tab signed in, here or in another one. */
export function isSignedInStill(): boolean {
  return sessionStorage.getItem(ownSignIn) !== null && !isSignInOver()
}

/** This tab is about to be another page. */
let isLeaving = false

/**
 * Who signs out does so in every tab, at once: their tokens and all that they show are gone. A tab that was
 * asleep meanwhile finds out as it is woken.
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

/** What the API's client asks for a token. */
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
    // Refresh tokens are good for one use: requests that fail together share one renewal.
    renew: () =>
      (renewal ??= renew(discovery, session).finally(() => {
        renewal = undefined
      })),
  }
}

/**
 * A new token by the refresh token. Where that holds no longer, the page begins anew, quietly where the
 * provider still knows the user.
 * @throws where the provider cannot be asked now
 */
async function renew(discovery: Discovery, session: Session): Promise<string | undefined> {
  // Whatever is wrong, the next page asks where to sign in.
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
