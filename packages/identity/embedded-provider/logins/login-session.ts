import { randomBytes } from 'node:crypto'
import { newIdentifier } from '@turnpike/protocol'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { dashboardAddresses } from '../addresses.ts'
import { userOfLogin } from './login.ts'
import type { LoginSessionStore, ProviderUserStore } from '../stores.ts'

/*
 * Where somebody is signed in, as they see it: a browser with all of its tabs, or one sign-in of a command
 * line. Each of its sign-ins has a grant, which is named after the session, so that tokens name it too.
 */

/** As long as a refresh token that is not used, and a day. */
const idleMs = 31 * 86_400_000
const maxUserAgentLength = 256
const grantBytes = 24

export interface SessionParts {
  users: Pick<ProviderUserStore, 'find'>
  sessions: Pick<LoginSessionStore, 'begin'>
  publicUrl: string
  clock: () => number
}

/** Who asks, from where; of a device, that it is, and not the browser in which it was confirmed. */
export interface SignInPlace {
  /** Of the session of the browser. */
  browserUid: string
  redirectUri: unknown
  userAgent: string | undefined
  address: string
}

/**
 * A name for the grant of a sign-in that is about to be made, and with it a session of it.
 * @param login as `loginOf` writes it
 */
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

/** As it is kept: what a program says of itself may be long, and hold anything. */
export function sessionUse(userAgent: string | undefined, address: string, nowMs: number) {
  const printable = (userAgent ?? '').replaceAll(/[^\x20-\x7e]/g, '').slice(0, maxUserAgentLength)
  return { userAgent: printable, address, nowMs, expiresAtMs: nowMs + idleMs }
}

/** Undefined for the grant of an app, and for those from before sessions were kept. */
export function sessionOfGrant(grantId: string | undefined): string | undefined {
  const [sessionId, rest] = (grantId ?? '').split('.', 2)
  return rest === undefined ? undefined : sessionId
}

/** Of a request in the provider's own pages; a device's own, where that is what is being confirmed. */
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
