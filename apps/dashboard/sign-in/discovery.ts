import type { BodyOf } from '../api/read-query.ts'

export type Discovery = BodyOf<'/api/v1/auth/discovery'>

/** The redirect path for the identity provider. */
export const callbackPath = '/dashboard/callback'

/**
 * Reads the identity provider's address and our client ID.
 * @throws {Error} with a message for users
 */
export async function readDiscovery(): Promise<Discovery> {
  const response = await fetch('/api/v1/auth/discovery')
  if (response.ok) return (await response.json()) as Discovery
  throw new Error(`The sign-in address could not be loaded: the gateway returned status ${response.status}.`)
}
