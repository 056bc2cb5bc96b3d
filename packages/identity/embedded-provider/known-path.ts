import { providerRoutes } from './addresses.ts'

const {
  authorization,
  code_verification: verification,
  device_authorization: device,
  end_session: signOut,
} = providerRoutes

/** All paths of `oidc-provider`, relative to the provider's path. */
const paths: ReadonlySet<string> = new Set([
  ...Object.values(providerRoutes),
  `${signOut}/confirm`,
  `${signOut}/success`,
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
])
/** Where a sign-in is resumed. Its identifiers have 43 characters, more than any path name. */
const resumedPath = new RegExp(`^(?:${authorization}|${verification})/[A-Za-z0-9_-]{43}$`)

/**
 * Whether a path and its query are the provider's, in exactly this spelling. The router of `oidc-provider`
 * also accepts other spellings (capitals), which our rate limits would not recognise; and at the path where
 * devices request codes it would treat a GET as the resumption of a sign-in. A resumed sign-in takes no
 * query: it fails with one.
 */
export function isKnownPath(url: string, method: string | undefined): boolean {
  const [path = '', query] = url.split('?', 2)
  if (path === device) return method === 'POST' || method === 'OPTIONS'
  return paths.has(path) || (query === undefined && resumedPath.test(path))
}
