/*
 * Reads this tab's user as `oidc-client-ts` stores it, without that library: it is a tenth of all code, and
 * only needed to sign in, renew and sign out.
 */

import type { Discovery } from './discovery.ts'

/** The fields that are read; the library's `User` has more. */
export interface KeptUser {
  access_token: string
  /** Unix epoch seconds; absent if the provider did not say. */
  expires_at?: number
}

/** Undefined if nobody is signed in in this tab. */
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

/** The storage prefix of the library (`WebStorageStateStore`, `UserManager`). */
const userPrefix = 'oidc.user:'
