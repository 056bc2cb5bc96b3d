import type { BodyOf } from '../api/read-query.ts'

export type Discovery = BodyOf<'/api/v1/auth/discovery'>

/** Where the provider leads back to. */
export const callbackPath = '/dashboard/callback'

/** Where and as whom to sign in. @throws {Error} in words for people */
export async function readDiscovery(): Promise<Discovery> {
  const response = await fetch('/api/v1/auth/discovery')
  if (response.ok) return (await response.json()) as Discovery
  throw new Error(`The sign-in address could not be loaded: the gateway returned status ${response.status}.`)
}
