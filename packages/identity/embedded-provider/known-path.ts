import { providerRoutes } from './addresses.ts'

const {
  authorization,
  code_verification: verification,
  device_authorization: device,
  end_session: signOut,
} = providerRoutes

/** All that `oidc-provider` has, below the provider's path. */
const paths: ReadonlySet<string> = new Set([
  ...Object.values(providerRoutes),
  `${signOut}/confirm`,
  `${signOut}/success`,
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
])
/** Where it goes on after a sign-in: its identifiers have 43 characters, more than any name of a path. */
const resumedPath = new RegExp(`^(?:${authorization}|${verification})/[A-Za-z0-9_-]{43}$`)

/**
 * Whether a path and its query are one of the provider's, letter by letter. Its own router takes other
 * spellings too (in capitals), which would be counted as no path of ours; and where a device asks for a code,
 * it would take a GET for one that resumes a sign-in. No query leads back to a sign-in: it fails on one.
 */
export function isKnownPath(url: string, method: string | undefined): boolean {
  const [path = '', query] = url.split('?', 2)
  if (path === device) return method === 'POST' || method === 'OPTIONS'
  return paths.has(path) || (query === undefined && resumedPath.test(path))
}
