/*
 * The user of this tab as `oidc-client-ts` keeps it: read without that library, which is a tenth of all code
 * and is needed to sign in, to renew and to sign out alone.
 */

import type { Discovery } from './discovery.ts'

/** What is read of it; the library's `User` has more. */
export interface KeptUser {
  access_token: string
  /** Unix epoch seconds; absent: the provider did not say. */
  expires_at?: number
}

/** Undefined: nobody is signed in here. */
export function readUser({ issuer, client_id: client }: Discovery): KeptUser | undefined {
  const text = sessionStorage.getItem(`${userPrefix}${issuer}:${client}`)
  if (text === null) return undefined
  const { access_token: token, expires_at: end } = JSON.parse(text) as Partial<KeptUser>
  if (token === undefined) return undefined
  return { access_token: token, ...(end !== undefined && { expires_at: end }) }
}

export function removeUsers(): void {
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(userPrefix)) sessionStorage.removeItem(name)
}

/** The library's own (`WebStorageStateStore`, `UserManager`). */
const userPrefix = 'oidc.user:'
