import { randomBytes } from 'node:crypto'
import { newIdentifier } from '@turnpike/protocol'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { dashboardAddresses } from '../addresses.ts'
import { userOfLogin } from './login.ts'
import type { LoginSessionStore, ProviderUserStore } from '../stores.ts'

/*
 * A session is a place where a user is signed in, as the user sees it: a browser with all its tabs, or one
 * sign-in of a command line. Each sign-in in a session has a grant whose name contains the session, so that
 * tokens name the session too.
 */

/** The lifetime of an unused refresh token, plus a day. */
const idleMs = 31 * 86_400_000
const maxUserAgentLength = 256
const grantBytes = 24

export interface SessionParts {
  users: Pick<ProviderUserStore, 'find'>
  sessions: Pick<LoginSessionStore, 'begin'>
  publicUrl: string
  clock: () => number
}

/** Who signs in, and from where; for a device: the device, not the browser in which it was confirmed. */
export interface SignInPlace {
  /** `oidc-provider`'s identifier of the browser's session. */
  browserUid: string
  redirectUri: unknown
  userAgent: string | undefined
  address: string
}

/** Makes a new sign-in's grant name, and its session. @param login as `loginOf` writes it */
export async function newGrantId(
  { users, sessions, publicUrl, clock }: SessionParts,
  login: string,
  { browserUid, redirectUri, userAgent, address }: SignInPlace,
): Promise<string> {
  const user = await userOfLogin(users, login)
  const nowMs = clock()
  const isDashboard = dashboardAddresses(publicUrl).redirects.includes(String(redirectUri))
  const sessionId = await sessions.begin({
    id: newIdentifier('ses', nowMs),
    userId: user?.id ?? login,
    loginGeneration: user?.loginGeneration ?? 0,
    kind: isDashboard ? 'browser' : 'command_line',
    browserUid: isDashboard ? browserUid : null,
    ...sessionUse(userAgent, address, nowMs),
  })
  return `${sessionId}.${randomBytes(grantBytes).toString('base64url')}`
}

/** Limits what is stored: a program chooses its user agent, which may be long and contain anything. */
export function sessionUse(userAgent: string | undefined, address: string, nowMs: number) {
  const printable = (userAgent ?? '').replaceAll(/[^\x20-\x7e]/g, '').slice(0, maxUserAgentLength)
  return { userAgent: printable, address, nowMs, expiresAtMs: nowMs + idleMs }
}

/** Undefined for the grant of an app, and for grants from before sessions were stored. */
export function sessionOfGrant(grantId: string | undefined): string | undefined {
  const [sessionId, rest] = (grantId ?? '').split('.', 2)
  return rest === undefined ? undefined : sessionId
}

/** The place of a request to the provider's own pages; if a device is being confirmed, the device's. */
export function placeOf({ oidc, ip, req }: KoaContextWithOIDC): Omit<SignInPlace, 'browserUid'> {
  const device = oidc.entities.DeviceCode as { deviceInfo?: Record<string, unknown> } | undefined
  const deviceInfo = (name: string): string | undefined => {
    const value = device?.deviceInfo?.[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    redirectUri: device === undefined ? oidc.params?.['redirect_uri'] : undefined,
    userAgent: device === undefined ? req.headers['user-agent'] : deviceInfo('userAgent'),
    address: deviceInfo('address') ?? ip,
  }
}
